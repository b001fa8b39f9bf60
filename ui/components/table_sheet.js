// The sheets that open over the page: the keypad of a card, and what can be done with a meld.
class Sheet extends Adder {
  show(...children) {
    this.editing = null;
    const close = h(
      "button",
      { type: "button", class: "key close", onclick: () => this.sheet.close() },
      `✕ ${this.labels.close}`,
    );
    this.sheet.replaceChildren(...children.filter(Boolean), h("div", { class: "bar end" }, close));
    if (!this.sheet.open) this.sheet.showModal();
    this.sheet.scrollTop = 0;
  }

  // The card under an open sheet was changed by another device: whoever looks at it is told before anything is tapped.
  followSheet() {
    if (!this.sheet.open || !this.editing) return;
    const card = this.cards.get(this.editing.id) ?? this.unread.get(this.editing.id);
    if (!card) {
      this.sheet.close();
      this.status.textContent = this.labels.gone_elsewhere;
    } else if (card.card !== this.editing.face) this.openCard(card.id, this.labels.changed_elsewhere);
  }

  openCard(id, news = "") {
    const card = this.cards.get(id);
    const group = this.cardGroup.get(id);
    const place = group.cards.findIndex((other) => other.id === id);
    this.suit = split(card.card).suit ?? this.mainSuit(group);
    const heading = h("h2", { id: "sheet-title" }, face(card.card), h("span", {}, `${card.spoken} · ${group.title}`));
    const change = (text) => this.send(text === card.card ? "accept" : "change", { card: id, face: text });
    const likely = this.likely(card, change);
    this.show(
      heading,
      news ? h("p", { class: "fault", role: "alert" }, `⚠ ${news}`) : "",
      card.note ? h("p", { class: "reason" }, card.note) : "",
      likely,
      this.keypad(change, card.card),
      this.actions(id, group, place),
    );
    this.editing = { id, face: card.card };
  }

  // Something at a meld that could not be read: which card it is, or that it is none.
  openUnread(id) {
    const spot = this.unread.get(id);
    this.suit = this.mainSuit(spot.group);
    const name = (text) => this.send("name_unread", { card: id, face: text });
    const none = () => this.send("not_a_card", { card: id });
    const heading = h("h2", { id: "sheet-title" }, h("span", { class: "square", "aria-hidden": "true" }, "?"), h("span", {}, this.labels.unread));
    const drop = { type: "button", class: "key danger", "data-act": "not-a-card", onclick: none };
    this.show(
      heading,
      h("p", { class: "reason" }, `${spot.group.title} · ${spot.note}`),
      this.likelyBar(spot.alternatives, name, (text) => this.name(text)),
      this.keypad(name),
      h("div", { class: "bar" }, h("button", drop, `✕ ${this.labels.not_a_card}`)),
    );
    this.editing = { id };
  }

  likely(card, change) {
    const options = [card.card, ...card.alternatives.filter((text) => text !== card.card)];
    if (options.length < 2 && !card.doubtful) return "";
    return this.likelyBar(options, change, (text) => (text === card.card ? this.labels.is_right : this.name(text)));
  }

  likelyBar(options, choose, words) {
    if (options.length === 0) return "";
    const keys = options.map((text) =>
      h(
        "button",
        { type: "button", class: "key likely", "data-face": text, onclick: () => choose(text) },
        face(text),
        h("span", {}, words(text)),
      ),
    );
    return h("div", { class: "block" }, h("h3", { class: "small" }, this.labels.likely), h("div", { class: "bar" }, ...keys));
  }

  actions(id, group, place) {
    const { labels } = this;
    const key = (text, run, extra = {}) => h("button", { type: "button", class: "key", onclick: run, ...extra }, text);
    const shift = (offset) => () => this.send("shift", { card: id, offset });
    const targets = this.data.groups
      .filter((other) => other.id !== group.id)
      .map((other) =>
        h(
          "button",
          {
            type: "button",
            class: "key",
            "data-to": other.id,
            onclick: () => this.send("move", { card: id, group: other.id }),
          },
          h("span", { class: `badge tint-${other.tint}` }, other.label),
          other.title,
        ),
      );
    return h(
      "div",
      { class: "block" },
      h(
        "div",
        { class: "bar" },
        key(`← ${labels.earlier}`, shift(-1), { disabled: place === 0 }),
        key(`${labels.later} →`, shift(1), { disabled: place === group.cards.length - 1 }),
        key(`✕ ${labels.remove}`, () => this.send("remove", { card: id }), {
          class: "key danger",
          "data-act": "remove",
        }),
      ),
      this.data.melds && !group.meld
        ? h("div", { class: "bar" }, key(labels.on_pile, () => this.send("pile", { card: id }), { "data-act": "on-pile" }))
        : "",
      ...(this.data.melds ? [h("h3", { class: "small" }, labels.move_to), this.moveBar(id, targets, key)] : []),
    );
  }

  moveBar(id, targets, key) {
    const { labels } = this;
    return h(
      "div",
      { class: "bar" },
      ...targets,
      key(`+ ${labels.new_meld}`, () => this.send("move", { card: id, group: this.data.new_group }), {
        "data-to": "new",
      }),
    );
  }

  openMeld(group) {
    const { labels } = this;
    const others = this.data.groups.filter((other) => other.meld && other.id !== group.id);
    const join = others.map((other) =>
      h(
        "button",
        {
          type: "button",
          class: "key",
          "data-to": other.id,
          onclick: () => this.send("join", { group: other.id, other: group.id }),
        },
        h("span", { class: `badge tint-${other.tint}` }, other.label),
        other.title,
      ),
    );
    const joining =
      join.length > 0
        ? h("div", { class: "block" }, h("h3", { class: "small" }, labels.join_with), h("div", { class: "bar" }, ...join))
        : "";
    const cuts = group.cards.slice(1).map((card, at) =>
      h(
        "button",
        {
          type: "button",
          class: "key",
          onclick: () => this.send("split", { group: group.id, at: at + 1 }),
        },
        h("span", { "aria-hidden": "true" }, "✂ "),
        h("span", { class: "paper" }, face(card.card)),
        unseen(`${labels.split_before} ${card.spoken}`),
      ),
    );
    const cutting =
      cuts.length > 0
        ? h("div", { class: "block" }, h("h3", { class: "small" }, labels.split_before), h("div", { class: "bar" }, ...cuts))
        : "";
    const tray = () => this.openTray(group.id);
    const covered = h("button", { type: "button", class: "key", "data-act": "pile", onclick: tray }, labels.pile);
    const mark = () => this.send("pile", { group: group.id, at: group.pile ? 0 : 1 });
    const squared = h(
      "button",
      {
        type: "button",
        class: "key",
        "data-act": "mark-pile",
        "aria-pressed": group.pile ? "true" : "false",
        onclick: mark,
      },
      labels.mark_pile,
    );
    const drop = h(
      "button",
      {
        type: "button",
        class: "key danger",
        "data-act": "remove-meld",
        onclick: () => this.send("remove_meld", { group: group.id }),
      },
      `✕ ${labels.remove_meld}`,
    );
    this.show(
      h(
        "h2",
        { id: "sheet-title" },
        h("span", { class: `badge tint-${group.tint}` }, group.label),
        h("span", {}, group.title),
      ),
      h("div", { class: "bar" }, squared, covered, drop),
      joining,
      cutting,
    );
  }

  mainSuit(group) {
    const counts = new Map();
    for (const card of group.cards) {
      const { suit } = split(card.card);
      if (suit) counts.set(suit, (counts.get(suit) ?? 0) + 1);
    }
    return [...counts.entries()].sort((a, b) => b[1] - a[1])[0]?.[0] ?? this.suit;
  }

  name(text) {
    const { rank, suit } = split(text);
    if (suit === null) return this.labels.jolly;
    return this.labels.card_name.replace("{rank}", this.labels.ranks[rank]).replace("{suit}", this.labels.suits[suit]);
  }

  keypad(choose, current = null) {
    const box = h("div", { class: "block keypad" });
    const draw = () => {
      const suits = SUITS.map((suit) =>
        h(
          "button",
          {
            type: "button",
            class: `key suit-key ${tone(`A${suit}`)}`,
            "data-suit": suit,
            "aria-pressed": suit === this.suit ? "true" : "false",
            onclick: () => {
              this.suit = suit;
              draw();
              box.querySelector(`[data-suit="${suit}"]`).focus();
            },
          },
          icon(suit),
          h("span", {}, this.labels.suits[suit]),
        ),
      );
      const ranks = RANKS.map((rank) => {
        const text = rank + this.suit;
        return h(
          "button",
          {
            type: "button",
            class: "key rank-key",
            "data-face": text,
            "aria-current": text === current ? "true" : null,
            onclick: () => choose(text),
          },
          face(text),
          "JQK".includes(rank) ? h("span", { class: "word", "aria-hidden": "true" }, this.labels.ranks[rank]) : "",
          unseen(this.name(text)),
        );
      });
      const jolly = h(
        "button",
        {
          type: "button",
          class: "key rank-key",
          "data-face": JOLLY,
          onclick: () => choose(JOLLY),
        },
        face(JOLLY),
        unseen(this.labels.jolly),
      );
      box.replaceChildren(
        h("div", { class: "suits", role: "group", "aria-label": this.labels.suit }, ...suits),
        h("div", { class: "ranks" }, ...ranks, jolly),
      );
    };
    draw();
    return box;
  }
}
