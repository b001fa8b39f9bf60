// Dragging a card onto another meld, with the mouse or, after a short hold, with a finger; every move has its key too.
class Dragger extends Groups {
  watchDrags() {
    this.drag = null;
    this.groups.addEventListener("pointerdown", (event) => this.grasp(event));
    this.groups.addEventListener("pointermove", (event) => this.pull(event));
    this.groups.addEventListener("pointerup", (event) => this.drop(event));
    this.groups.addEventListener("pointercancel", () => this.letGo());
    this.groups.addEventListener("touchmove", (event) => this.drag?.ghost && event.preventDefault(), { passive: false });
    this.groups.addEventListener("contextmenu", (event) => this.drag && event.preventDefault());
    this.groups.addEventListener("click", (event) => this.swallow(event), true);
  }

  grasp(event) {
    this.dropped = false;
    const tile = event.target.closest?.(".tile[data-card]");
    if (!tile || event.button !== 0 || !this.data.melds) return;
    this.letGo();
    this.drag = { id: tile.dataset.card, tile, pointer: event.pointerId, x: event.clientX, y: event.clientY };
    if (event.pointerType === "touch") {
      this.drag.touch = true;
      this.drag.hold = setTimeout(() => this.lift(), HOLD_MS);
    }
  }

  lift() {
    const { tile } = this.drag;
    this.drag.ghost = tile.cloneNode(true);
    this.drag.ghost.classList.add("ghost");
    tile.classList.add("lifted");
    this.root.append(this.drag.ghost);
    this.groups.setPointerCapture(this.drag.pointer);
    this.follow(this.drag.x, this.drag.y);
  }

  follow(x, y) {
    this.drag.ghost.style.left = `${x - 24}px`;
    this.drag.ghost.style.top = `${y - 60}px`;
    const over = this.groupAt(x, y);
    for (const box of this.groups.querySelectorAll("[data-group]")) box.classList.toggle("target", box === over);
  }

  groupAt(x, y) {
    const over = this.root.getRootNode().elementsFromPoint(x, y);
    const box = over.find((node) => !node.closest?.(".ghost"))?.closest?.("[data-group]") ?? null;
    return box && box.dataset.group !== this.cardGroup.get(this.drag.id)?.id ? box : null;
  }

  pull(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX) return;
      if (drag.touch) {
        this.letGo(); // a finger that moves at once scrolls the page
        return;
      }
      this.lift();
    }
    this.follow(event.clientX, event.clientY);
  }

  drop(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.dropped = Boolean(drag.ghost);
    const box = drag.ghost ? this.groupAt(event.clientX, event.clientY) : null;
    this.letGo();
    if (box) this.send("move", { card: drag.id, group: box.dataset.group });
  }

  letGo() {
    if (!this.drag) return;
    clearTimeout(this.drag.hold);
    this.drag.ghost?.remove();
    this.drag.tile.classList.remove("lifted");
    for (const box of this.groups.querySelectorAll(".target")) box.classList.remove("target");
    this.drag = null;
  }

  // The click that ends a drag opens nothing.
  swallow(event) {
    if (!this.dropped) return;
    this.dropped = false;
    event.stopPropagation();
    event.preventDefault();
  }
}
