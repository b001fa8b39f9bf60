// The table: a photo whose cards can be tapped, and the same melds as rows of readable cards.
// Everything shown comes from `data`; every change is sent to Python as one event and comes back as new data.
class Table extends Sheet {
  constructor(root) {
    super();
    this.root = root;
    this.stage = root.querySelector(".stage");
    this.groups = root.querySelector(".groups");
    this.status = root.querySelector(".status");
    this.sheet = root.querySelector(".sheet");
    this.zoom = 0;
    this.suit = "♥";
    this.several = null;
    this.photoUrl = null;
    this.photoAt = 0;
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
    for (const group of data.groups) {
      for (const card of group.cards) {
        this.cards.set(card.id, card);
        this.cardGroup.set(card.id, group);
      }
    }
    const focused = this.root.getRootNode().activeElement?.dataset?.focus ?? null;
    this.settle("");
    this.root.classList.toggle("with-photo", data.photos.length > 0);
    this.drawStage();
    this.drawGroups();
    if (focused) this.root.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  settle(text) {
    clearTimeout(this.patience);
    this.root.removeAttribute("aria-busy");
    this.status.textContent = text;
  }

  send(kind, fields = {}) {
    this.sheet.close();
    this.root.setAttribute("aria-busy", "true");
    this.status.textContent = this.labels.working;
    this.emit({ command_id: commandId(), kind, ...fields });
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.settle(this.labels.no_answer), NO_ANSWER_MS);
  }

  drawGroups() {
    const { labels } = this;
    const boxes = this.data.groups.map((group) => this.groupBox(group));
    if (!this.data.melds) {
      this.groups.replaceChildren(...boxes);
      return;
    }
    const bar = h(
      "div",
      { class: "bar" },
      h(
        "button",
        { type: "button", class: "key", "data-focus": "new", onclick: () => this.openAdd(this.data.new_group, null) },
        `+ ${labels.new_meld}`,
      ),
      h(
        "button",
        {
          type: "button",
          class: "key",
          "data-focus": "undo",
          disabled: !this.data.can_undo,
          onclick: () => this.send("undo"),
        },
        `↶ ${labels.undo}`,
      ),
      h(
        "button",
        {
          type: "button",
          class: "key",
          "data-focus": "redo",
          disabled: !this.data.can_redo,
          onclick: () => this.send("redo"),
        },
        `↷ ${labels.redo}`,
      ),
    );
    const empty = boxes.length === 0 ? [h("p", { class: "hint" }, labels.empty)] : [];
    this.groups.replaceChildren(...empty, ...boxes, bar);
  }

  groupBox(group) {
    const title = h(
      "h3",
      { id: `g-${group.id}` },
      h("span", { class: `badge tint-${group.tint}` }, group.label),
      h("span", { class: "title" }, group.title),
      group.chip ? h("span", { class: "chip" }, group.chip) : null,
      h("span", { class: "points" }, group.points),
    );
    const tiles = h("ol", { class: "tiles" }, ...group.cards.map((card) => h("li", {}, this.tile(card))));
    const add = h(
      "button",
      {
        type: "button",
        class: "tile add",
        "data-focus": `add-${group.id}`,
        "aria-label": `${this.labels.add_card}, ${group.title}`,
        onclick: () => this.openAdd(group.id, null),
      },
      "+",
    );
    tiles.append(h("li", {}, add));
    if (group.meld) tiles.append(this.moreTile(group));
    const faults = group.faults.map((fault) => h("p", { class: "fault" }, `⚠ ${fault}`));
    const reason = group.reason ? h("p", { class: "reason" }, group.reason) : null;
    const frame = { role: "group", class: `group tint-${group.tint}`, "data-group": group.id, "aria-labelledby": `g-${group.id}` };
    const marks = group.marks ? h("p", { class: "ask" }, `? ${group.marks}`) : null;
    return h("section", frame, title, tiles, reason, marks, ...faults, this.twinBar(group));
  }

  twinBar(group) {
    if (!group.twin) return null;
    const key = (text, kind) =>
      h("button", { type: "button", class: "key", onclick: () => this.send(kind, { group: group.id }) }, text);
    return h(
      "div",
      {},
      h("p", { class: "ask" }, `? ${group.twin}`),
      h("div", { class: "bar" }, key(this.labels.twin_same, "remove_meld"), key(this.labels.twin_two, "keep_twin")),
    );
  }

  moreTile(group) {
    const open = () => this.openMeld(group);
    const shown = { type: "button", class: "tile more", "data-focus": `meld-${group.id}`, onclick: open };
    return h("li", {}, h("button", shown, this.labels.more, unseen(`: ${this.labels.edit_meld}, ${group.title}`)));
  }

  tile(card) {
    const notes = [card.doubtful ? this.labels.doubtful : null, card.note || null].filter(Boolean);
    return h(
      "button",
      {
        type: "button",
        class: `tile${card.doubtful ? " doubtful" : ""}`,
        "data-card": card.id,
        "data-face": card.card,
        "data-focus": `card-${card.id}`,
        onclick: () => this.openCard(card.id),
      },
      face(card.card),
      card.doubtful ? h("span", { class: "mark", "aria-hidden": "true" }, "?") : null,
      card.stands_for ? h("span", { class: "stands", "aria-hidden": "true" }, `= ${card.stands_for}`) : null,
      unseen([card.spoken, ...notes].join(", ")),
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
