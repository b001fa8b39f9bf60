// Card faces and small helpers of the table component.

const SVG = "http://www.w3.org/2000/svg";
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = ["♥", "♦", "♣", "♠"];
const JOLLY = "JK";
const NO_ANSWER_MS = 8000;
// How far outside a card its badge stands, in half diagonals: its index must stay readable.
const BADGE_OFFSET = 0.3;
const MOST_AT_ONCE = 30;
const HOLD_MS = 350;
const DRAG_PX = 8;
const ZOOMS = [1, 1.6, 2.4, 3.4];
const PATHS = {
  "♥": "M12 21.5C5 15.4 1.8 11.8 1.8 7.9 1.8 4.9 4.1 2.8 6.8 2.8c2.2 0 4.1 1.2 5.2 3.4 1.1-2.2 3-3.4 5.2-3.4 2.7 0 5 2.1 5 5.1 0 3.9-3.2 7.5-10.2 13.6z",
  "♦": "M12 1l8.2 11L12 23 3.8 12z",
  "♣": "M12 1.8a4.6 4.6 0 0 1 3.9 7.1 4.7 4.7 0 1 1-2.9 8c.2 2.5 1.1 4.3 2.8 6.1H8.2c1.7-1.8 2.6-3.6 2.8-6.1a4.7 4.7 0 1 1-2.9-8A4.6 4.6 0 0 1 12 1.8z",
  "♠": "M12 1.2c1 3.6 9 8 9 13.2 0 2.9-2 4.6-4.2 4.6-1.6 0-3.1-.8-3.9-2 .2 2.6 1.1 4.4 2.9 6H8.2c1.8-1.6 2.7-3.4 2.9-6-.8 1.2-2.3 2-3.9 2C5 19 3 17.3 3 14.4c0-5.2 8-9.6 9-13.2z",
  JK: "M12 1.5l3 6.7 7.3.8-5.4 4.9 1.5 7.2L12 17.4l-6.4 3.7 1.5-7.2L1.7 9l7.3-.8z",
};

const states = new WeakMap();

function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") node.onclick = value;
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

function icon(symbol) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "suit");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[symbol]);
  svg.append(path);
  return svg;
}

function split(text) {
  return text === JOLLY ? { rank: JOLLY, suit: null } : { rank: text.slice(0, -1), suit: text.slice(-1) };
}

// The cards between the last two of a list, where both are of one suit: 3♥ and 9♥ stand for a whole sequenza.
function fill(faces) {
  const [from, to] = faces.slice(-2).map(split);
  if (!to || from.suit === null || from.suit !== to.suit) return [];
  const ranks = [...RANKS, "A"];
  const start = ranks.indexOf(from.rank);
  const end = to.rank === "A" ? ranks.length - 1 : ranks.indexOf(to.rank);
  return ranks.slice(start + 1, Math.max(start + 1, end)).map((rank) => rank + from.suit);
}

function tone(text) {
  const { suit } = split(text);
  return suit === null ? "jolly" : suit === "♥" || suit === "♦" ? "red" : "black";
}

function face(text) {
  const { rank, suit } = split(text);
  const big = h("span", { class: "rank", "aria-hidden": "true" }, suit === null ? "Jolly" : rank);
  return h("span", { class: `face ${tone(text)}` }, big, icon(suit ?? JOLLY));
}

// A card in a line of text; one that is doubtful is marked.
function mini(card) {
  const { rank, suit } = split(card.card);
  const shown = h("span", { class: `mini ${tone(card.card)}${card.doubtful ? " doubtful" : ""}` });
  shown.append(suit === null ? "Jolly" : rank, suit === null ? "" : icon(suit));
  return shown;
}

// A button's name for those who listen; what it shows (J♥) is hidden from them.
function unseen(text) {
  return h("span", { class: "unseen" }, text);
}

// randomUUID exists only in secure contexts; a phone on the home network has none.
function commandId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function inside(quad, x, y) {
  let sign = 0;
  for (let i = 0; i < 4; i += 1) {
    const [ax, ay] = quad[i];
    const [bx, by] = quad[(i + 1) % 4];
    const cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    if (cross !== 0 && sign !== 0 && Math.sign(cross) !== sign) return false;
    if (cross !== 0) sign = Math.sign(cross);
  }
  return true;
}
