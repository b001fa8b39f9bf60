// Adding cards: one where it was tapped, or several gathered in a tray and sent as one.
class Adder extends Stage {
  openAdd(groupId, xy) {
    const group = this.data.groups.find((other) => other.id === groupId) ?? null;
    if (group) this.suit = this.mainSuit(group);
    const title = group
      ? `${this.labels.add_card} · ${group.title}`
      : `${this.labels.add_card} · ${this.labels.new_meld}`;
    const spot = xy ? { x: xy[0], y: xy[1], photo: this.photo().id } : {};
    const add = (text) => this.send("add", { group: groupId, face: text, ...spot });
    const several = xy === null && (group === null || !group.meld || this.several === groupId);
    const others = [
      ...this.data.groups.map((other) => [other.id, other.label, other.tint]),
      [this.data.new_group, "+", "new"],
    ];
    const choose = others.map(([id, label, tint]) =>
      h(
        "button",
        {
          type: "button",
          class: "key",
          "aria-pressed": id === groupId ? "true" : "false",
          onclick: () => this.openAdd(id, xy),
        },
        h("span", { class: `badge tint-${tint}` }, label),
        id === this.data.new_group ? this.labels.new_meld : "",
      ),
    );
    const where =
      xy && others.length > 1
        ? h("div", { class: "block" }, h("h3", { class: "small" }, this.labels.which_meld), h("div", { class: "bar" }, ...choose))
        : "";
    const heading = h("h2", { id: "sheet-title" }, h("span", {}, title));
    if (several) this.showTray(heading, groupId);
    else this.show(heading, this.keypad(add), xy === null ? this.severalKey(groupId) : where);
  }

  // One card is added by one tap; a whole meld, a hand, or what lies under a pile is gathered first and sent as one.
  severalKey(groupId) {
    const open = () => this.openTray(groupId);
    return h("div", { class: "bar" }, h("button", { type: "button", class: "key", onclick: open }, this.labels.several));
  }

  openTray(groupId) {
    this.several = groupId;
    this.openAdd(groupId, null);
  }

  showTray(heading, groupId) {
    const tray = [];
    const box = h("div", { class: "block tray", "aria-live": "polite" });
    const send = () => {
      this.several = null;
      this.send("add_many", { group: groupId, faces: tray.join(" ") });
    };
    const key = (text, run, extra = {}) => h("button", { type: "button", class: "key", onclick: run, ...extra }, text);
    const draw = () => {
      const chosen = tray.map((text, at) => {
        const drop = () => {
          tray.splice(at, 1);
          draw();
        };
        const label = unseen(`${this.name(text)}, ${this.labels.remove}`);
        return h("li", {}, h("button", { type: "button", class: "tile", onclick: drop }, face(text), label));
      });
      const between = fill(tray);
      const filled = () => {
        tray.splice(tray.length - 1, 0, ...between);
        draw();
      };
      box.replaceChildren(
        chosen.length > 0 ? h("ol", { class: "tiles" }, ...chosen) : h("p", { class: "hint" }, this.labels.tray_hint),
        h(
          "div",
          { class: "bar" },
          between.length > 0
            ? key(`${this.labels.fill} ${tray.at(-2)}–${tray.at(-1)}`, filled, { "data-act": "fill" })
            : "",
          key(`✓ ${this.labels.add_these}: ${tray.length}`, send, {
            class: "key go",
            "data-act": "add-these",
            disabled: tray.length === 0,
          }),
        ),
      );
    };
    draw();
    const keep = (text) => {
      if (tray.length < MOST_AT_ONCE) tray.push(text);
      draw();
    };
    this.show(heading, box, this.keypad(keep));
  }
}
