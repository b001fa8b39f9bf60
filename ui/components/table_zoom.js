// Closer and farther on the photo: by a key, with two fingers, or with the wheel while Ctrl is held.
class Zoom {
  watchZoom() {
    this.scale = 1;
    const { scroller } = this;
    let last = null;
    const fingers = (event) => {
      const [a, b] = event.touches;
      const gap = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      return { gap, x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 };
    };
    const follow = (event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault();
      const now = fingers(event);
      if (last) this.zoomTo((this.scale * now.gap) / last.gap, now.x, now.y);
      last = now;
    };
    scroller.addEventListener("touchstart", (event) => {
      last = event.touches.length === 2 ? fingers(event) : null;
    }, { passive: true });
    scroller.addEventListener("touchmove", follow, { passive: false });
    scroller.addEventListener("touchend", () => { last = null; }, { passive: true });
    scroller.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomTo(this.scale * Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
    }, { passive: false });
  }

  // The place of the photo under (x, y) of the window stays there; without one, what is in the middle does.
  zoomTo(scale, x = null, y = null) {
    const { scroller } = this;
    const frame = scroller.getBoundingClientRect();
    const [dx, dy] = x === null ? [frame.width / 2, frame.height / 2] : [x - frame.left, y - frame.top];
    const next = Math.min(ZOOMS.at(-1), Math.max(ZOOMS[0], scale));
    const [left, top] = [scroller.scrollLeft + dx, scroller.scrollTop + dy].map((at) => (at * next) / this.scale);
    this.scale = next;
    this.applyZoom();
    scroller.scrollTo(left - dx, top - dy);
  }

  zoomKeys() {
    const nearer = () => ZOOMS.find((scale) => scale > this.scale + 0.01);
    const farther = () => ZOOMS.findLast((scale) => scale < this.scale - 0.01);
    const key = (name, sign, next, text) =>
      h(
        "button",
        { type: "button", class: "key sign", "data-focus": name, title: text, onclick: () => this.zoomTo(next() ?? this.scale) },
        h("span", { "aria-hidden": "true" }, sign),
        unseen(text),
      );
    return [
      key("zoom-out", "−", farther, this.labels.zoom_out),
      key("zoom-in", "+", nearer, this.labels.zoom_in),
    ];
  }

  applyZoom() {
    this.canvas.style.width = `${this.scale * 100}%`;
    this.groups.querySelector('[data-focus="zoom-out"]').disabled = this.scale <= ZOOMS[0];
    this.groups.querySelector('[data-focus="zoom-in"]').disabled = this.scale >= ZOOMS.at(-1);
  }
}
