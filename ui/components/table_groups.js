// The melds as rows: one line each while all is clear, its cards and what can be done with them once it is opened.
class Groups extends Sheet {
  groupBox(group) {
    const open = this.isOpen(group);
    const inside = h("div", { class: "inside", hidden: !open }, ...this.insideOf(group));
    const frame = {
      role: "group",
      class: `group tint-${group.tint}`,
      "data-group": group.id,
      "aria-labelledby": `g-${group.id}`,
    };
    return h("section", frame, this.data.melds ? this.line(group, open, inside) : this.title(group), inside);
  }

  // What needs a look is open until somebody folds it; what is sure is one line until somebody opens it.
  isOpen(group) {
    if (!this.data.melds) return true;
    const look = this.alarming(group) || group.unread.length > 0 || group.cards.some((card) => card.doubtful);
    return this.opened.get(group.id) ?? look;
  }

  alarming(group) {
    return group.faults.length > 0 || Boolean(group.marks || group.twin || group.covered);
  }

  roleOf(group) {
    return this.data.roles.find((role) => role.key === group.role);
  }

  roleBadge(role) {
    return h("span", { class: `badge tint-${role.tint}`, "aria-hidden": "true" }, role.letter);
  }

  // What a group is and whose: one key says it, one tap on the sheet changes it.
  roleKey(group) {
    const role = this.roleOf(group);
    if (!role) return null;
    const shown = { type: "button", class: "key role", "data-focus": `role-${group.id}`, onclick: () => this.openRoles(group) };
    return h("button", shown, this.roleBadge(role), role.text, unseen(`, ${this.labels.what_is_it}`));
  }

  openRoles(group) {
    const keys = this.data.roles.map((role) =>
      h(
        "button",
        {
          type: "button",
          class: "key role",
          "data-role": role.key,
          "aria-pressed": role.key === group.role ? "true" : "false",
          onclick: () => this.send("assign", { group: group.id, other: role.role, at: role.owner }),
        },
        this.roleBadge(role),
        role.text,
      ),
    );
    const badge = h("span", { class: `badge tint-${group.tint}` }, group.label);
    const heading = h("h2", { id: "sheet-title" }, badge, h("span", {}, this.labels.what_is_it));
    this.show(heading, h("div", { class: "bar roles" }, ...keys));
  }

  coveredBar(group) {
    if (!group.covered) return null;
    const write = () => this.openTray(group.id);
    const none = () => this.send("pile", { group: group.id, at: 0 });
    return h(
      "div",
      {},
      h("p", { class: "ask" }, `? ${group.covered}`),
      h(
        "div",
        { class: "bar" },
        h("button", { type: "button", class: "key", "data-act": "write-covered", onclick: write }, this.labels.write_covered),
        h("button", { type: "button", class: "key", "data-act": "none-covered", onclick: none }, this.labels.none_covered),
      ),
    );
  }

  title(group) {
    return h(
      "h3",
      { id: `g-${group.id}` },
      h("span", { class: `badge tint-${group.tint}` }, group.label),
      h("span", { class: "title" }, group.title),
      h("span", { class: "points" }, group.points),
    );
  }

  line(group, open, inside) {
    const arrow = h("span", { class: "arrow", "aria-hidden": "true" }, open ? "▴" : "▾");
    const key = h(
      "button",
      {
        type: "button",
        class: "fold",
        "data-focus": `fold-${group.id}`,
        "aria-expanded": open ? "true" : "false",
        onclick: () => {
          const now = inside.hidden;
          this.opened.set(group.id, now);
          inside.hidden = !now;
          key.setAttribute("aria-expanded", now ? "true" : "false");
          arrow.textContent = now ? "▴" : "▾";
        },
      },
      h("span", { class: `badge tint-${group.tint}` }, group.label),
      unseen(`${group.title}, `),
      h(
        "span",
        { class: "what" },
        h("span", { class: "minis", "aria-hidden": "true" }, ...group.cards.map(mini), ...group.unread.map(() => h("span", { class: "square" }, "?"))),
        group.chip ? h("span", { class: "chip" }, group.chip) : null,
        group.usual ? null : h("span", { class: "chip" }, this.roleOf(group).text),
        this.alarming(group) ? h("span", { class: "chip alarm" }, `⚠ ${this.labels.look}`) : null,
        h("span", { class: "points" }, group.points),
      ),
      arrow,
    );
    return h("h3", { id: `g-${group.id}` }, key);
  }

  insideOf(group) {
    const laid = group.cards.map((card) => h("li", {}, this.tile(card)));
    const behind = [...group.unread].sort((a, b) => b.at - a.at);
    for (const spot of behind) laid.splice(spot.at, 0, h("li", {}, this.unreadTile(spot)));
    const tiles = h("ol", { class: "tiles" }, ...laid);
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
    const title = this.data.melds ? h("b", {}, group.title) : null;
    const apart = title && group.reason ? " · " : "";
    return [
      tiles,
      title || group.reason ? h("p", { class: "reason" }, title, apart, group.reason) : null,
      group.marks ? h("p", { class: "ask" }, `? ${group.marks}`) : null,
      ...group.faults.map((fault) => h("p", { class: "fault" }, `⚠ ${fault}`)),
      this.twinBar(group),
      this.coveredBar(group),
      this.roleKey(group),
    ];
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

  unreadTile(spot) {
    const open = () => this.openUnread(spot.id);
    const shown = { type: "button", class: "tile unread", "data-unread": spot.id, "data-focus": `unread-${spot.id}`, onclick: open };
    return h("button", shown, h("span", { class: "square", "aria-hidden": "true" }, "?"), unseen(this.labels.unread));
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
      card.cut ? h("span", { class: "stands", "aria-hidden": "true" }, "✂") : null,
      card.stands_for ? h("span", { class: "stands", "aria-hidden": "true" }, `= ${card.stands_for}`) : null,
      unseen([card.spoken, ...notes].join(", ")),
    );
  }
}
