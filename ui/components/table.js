// The table: a photo whose cards can be tapped, and the same melds as rows of readable cards.
// Everything shown comes from `data`; every change is sent to Python as one event and comes back as new data.
class Table extends Dragger {
  constructor(root) {
    super();
    this.root = root;
    this.stage = root.querySelector(".stage");
    this.groups = root.querySelector(".groups");
    this.status = root.querySelector(".status");
    this.sheet = root.querySelector(".sheet");
    this.scale = 1;
    this.suit = "♥";
    this.several = null;
    this.photoUrl = null;
    this.photoAt = 0;
    this.opened = new Map();
    this.watchDrags();
    this.sheet.onclick = (event) => {
      if (event.target === this.sheet) this.sheet.close();
    };
  }

  update(data, send) {
    this.data = data;
    this.labels = data.labels;
    this.emit = send;
    this.cards = new Map();
    this.cardGroup = new Map();
    this.unread = new Map();
    for (const group of data.groups) {
      for (const spot of group.unread) this.unread.set(spot.id, { ...spot, group });
      for (const card of group.cards) {
        this.cards.set(card.id, card);
        this.cardGroup.set(card.id, group);
      }
    }
    const focused = this.root.getRootNode().activeElement?.dataset?.focus ?? null;
    this.settle("");
    this.letGo();
    this.root.classList.toggle("with-photo", data.photos.length > 0);
    this.drawStage();
    this.drawGroups();
    this.followSheet();
    if (focused) this.root.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  settle(text) {
    clearTimeout(this.patience);
    this.root.removeAttribute("aria-busy");
    this.status.textContent = text;
  }

  send(kind, fields = {}) {
    this.sheet.close();
    const group = fields.card
      ? (this.cardGroup.get(fields.card) ?? this.unread.get(fields.card)?.group)
      : this.data.groups.find((other) => other.id === fields.group);
    if (group && this.isOpen(group)) this.opened.set(group.id, true);
    this.root.setAttribute("aria-busy", "true");
    this.status.textContent = this.labels.working;
    this.emit({ command_id: commandId(), kind, ...fields });
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.settle(this.labels.no_answer), NO_ANSWER_MS);
  }

  drawGroups() {
    const { data, labels } = this;
    const boxes = data.groups.map((group) => this.groupBox(group));
    if (!data.melds) {
      this.groups.replaceChildren(...boxes);
      return;
    }
    const more = h(
      "button",
      {
        type: "button",
        class: "key",
        "data-focus": "new",
        "data-group": data.new_group,
        onclick: () => this.openAdd(data.new_group, null),
      },
      `+ ${labels.new_meld}`,
    );
    const empty = boxes.length === 0 ? [h("p", { class: "hint" }, labels.empty)] : [];
    this.groups.replaceChildren(this.tools(), ...empty, ...boxes, h("div", { class: "bar" }, more));
    if (this.photo()) this.applyZoom();
  }

  // Under the photo: closer and farther, back and again.
  tools() {
    const key = (name, text, able) =>
      h(
        "button",
        { type: "button", class: "key", "data-focus": name, disabled: !able, onclick: () => this.send(name) },
        text,
      );
    return h(
      "div",
      { class: "bar tools" },
      ...(this.photo() ? this.zoomKeys() : []),
      key("undo", `↶ ${this.labels.undo}`, this.data.can_undo),
      key("redo", `↷ ${this.labels.redo}`, this.data.can_redo),
    );
  }
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".table-root");
  if (!root || !data) return;
  let table = states.get(root);
  if (!table) {
    table = new Table(root);
    states.set(root, table);
  }
  table.update(data, (edit) => setTriggerValue("edit", edit));
}
