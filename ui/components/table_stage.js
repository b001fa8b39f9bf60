// The photo with every card outlined in its meld's colour; a tap finds the card that lies there.
class Stage extends Zoom {
  photo() {
    const { photos } = this.data;
    this.photoAt = Math.min(this.photoAt, Math.max(0, photos.length - 1));
    return photos[this.photoAt] ?? null;
  }

  onPhoto(card) {
    return card.quad !== null && card.photo === this.photo()?.id;
  }

  photoBar() {
    const { photos } = this.data;
    if (photos.length < 2) return "";
    const choose = (at) => () => {
      this.photoAt = at;
      this.drawStage();
    };
    const keys = photos.map((_, at) =>
      h(
        "button",
        {
          type: "button",
          class: "key",
          "aria-pressed": at === this.photoAt ? "true" : "false",
          "data-focus": `photo-${at}`,
          onclick: choose(at),
        },
        `${this.labels.photo} ${at + 1}`,
      ),
    );
    return h("div", { class: "bar" }, ...keys);
  }

  drawStage() {
    const photo = this.photo();
    if (!photo) {
      this.stage.replaceChildren();
      this.photoUrl = null;
      return;
    }
    const shown = `${photo.url} ${this.data.photos.length}`;
    if (this.photoUrl !== shown) {
      this.photoUrl = shown;
      this.image = h("img", { src: photo.url, alt: photo.alt, draggable: "false" });
      this.sheetOverlay = document.createElementNS(SVG, "svg");
      this.badges = h("div", { class: "badges", "aria-hidden": "true" });
      this.canvas = h("div", { class: "canvas" }, this.image, this.sheetOverlay, this.badges);
      this.scroller = h(
        "div",
        { class: "scroller", tabindex: "0", role: "group", "aria-label": this.labels.photo },
        this.canvas,
      );
      this.canvas.onclick = (event) => this.tapPhoto(event);
      this.stage.replaceChildren(this.photoBar(), this.scroller);
      this.watchZoom();
    }
    this.image.alt = photo.alt;
    this.drawOverlay(photo);
  }

  drawOverlay(photo) {
    const overlay = this.sheetOverlay;
    overlay.setAttribute("viewBox", `0 0 ${photo.width} ${photo.height}`);
    overlay.setAttribute("preserveAspectRatio", "none");
    overlay.setAttribute("aria-hidden", "true");
    overlay.replaceChildren();
    this.badges.replaceChildren();
    for (const group of this.data.groups) {
      const placed = group.cards.filter((card) => this.onPhoto(card));
      for (const card of placed) {
        this.outline(card, `tint-${group.tint}${card.doubtful ? " doubtful" : ""}`).forEach((polygon) => {
          polygon.dataset.card = card.id;
        });
        if (card.doubtful) this.badges.append(this.badge(card.quad, photo, "?", "ask"));
      }
      for (const spot of group.unread.filter((other) => this.onPhoto(other))) {
        this.outline(spot, `tint-${group.tint} unread`);
        this.badges.append(this.badge(spot.quad, photo, "?", "ask square"));
      }
      if (placed.length > 0) this.badges.append(this.badge(placed[0].quad, photo, group.label, `tint-${group.tint}`));
    }
  }

  // A light line under a coloured one, so that it is seen on any table.
  outline({ quad }, kind) {
    return ["halo", "line"].map((layer) => {
      const polygon = document.createElementNS(SVG, "polygon");
      polygon.setAttribute("points", quad.map((corner) => corner.join(",")).join(" "));
      polygon.setAttribute("class", `${layer} ${kind}`);
      this.sheetOverlay.append(polygon);
      return polygon;
    });
  }

  badge(quad, photo, text, kind) {
    const corner = kind.startsWith("ask") ? quad[1] : quad[0];
    const centre = [0, 1].map((axis) => quad.reduce((sum, point) => sum + point[axis], 0) / 4);
    const [x, y] = [0, 1].map((axis) => corner[axis] + (corner[axis] - centre[axis]) * BADGE_OFFSET);
    const within = (part) => `clamp(17px, ${100 * part}%, calc(100% - 17px))`;
    const place = `left:${within(x / photo.width)};top:${within(y / photo.height)}`;
    return h("span", { class: `badge ${kind}`, style: place }, text);
  }

  tapPhoto(event) {
    const photo = this.photo();
    const frame = this.canvas.getBoundingClientRect();
    const x = ((event.clientX - frame.left) / frame.width) * photo.width;
    const y = ((event.clientY - frame.top) / frame.height) * photo.height;
    const lying = [...this.cards.values(), ...this.unread.values()];
    const hits = lying.filter((card) => this.onPhoto(card) && inside(card.quad, x, y));
    const corner = (card) => Math.hypot(card.quad[0][0] - x, card.quad[0][1] - y);
    hits.sort((a, b) => corner(a) - corner(b));
    if (hits.length > 0) this.openLying(hits[0].id);
    else this.openAdd(this.nearestGroup(x, y), [Math.round(x), Math.round(y)]);
  }

  openLying(id) {
    if (this.unread.has(id)) this.openUnread(id);
    else this.openCard(id);
  }

  nearestGroup(x, y) {
    let best = null;
    let distance = Infinity;
    for (const card of this.cards.values()) {
      if (!this.onPhoto(card)) continue;
      const away = Math.min(...card.quad.map(([cx, cy]) => Math.hypot(cx - x, cy - y)));
      if (away < distance) [best, distance] = [this.cardGroup.get(card.id).id, away];
    }
    return best ?? this.data.new_group;
  }
}
