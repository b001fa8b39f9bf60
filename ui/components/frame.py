"""What only the browser can do for a page: tell its language, go to the top for something new, keep its own name."""

from __future__ import annotations

from typing import Final

import streamlit as st

DEVICE_COOKIE: Final = "burraco_device"
PHOTO_UPLOADERS: Final = '[class*="st-key-uploader_"]'
"""Where photos are taken; other places take files."""
_YEAR_S: Final = 365 * 24 * 3600

_SCRIPT: Final = """
const seen = new WeakMap();
const UPLOAD = '[data-testid="stFileUploaderDropzone"] button';
let words = { photo: "", file: "", drop: "", photos: "" };

// Our words on this button are painted by the style sheet; those who listen need them as its name.
function nameUploads() {
  for (const button of document.querySelectorAll(UPLOAD)) {
    const taken = button.closest('[data-testid="stFileChipDeleteBtn"]');
    const name = button.closest(words.photos) ? words.photo : words.file;
    button.setAttribute("aria-label", taken ? words.drop : name);
  }
}
new MutationObserver(nameUploads).observe(document.body, { childList: true, subtree: true });

// A phone on the table must not go dark between two cards; browsers allow this over HTTPS only.
let awake = null;
async function stayAwake() {
  if (!isSecureContext || !navigator.wakeLock || document.hidden || !matchMedia("(pointer: coarse)").matches) return;
  if (awake && !awake.released) return;
  awake = await navigator.wakeLock.request("screen").catch(() => null);
}
document.addEventListener("visibilitychange", stayAwake);

export default function ({ data, parentElement }) {
  stayAwake();
  words = data.words;
  nameUploads();
  document.documentElement.lang = data.lang;
  document.cookie = data.device;
  const before = seen.get(parentElement);
  seen.set(parentElement, data.what);
  if (before !== data.what) document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
}
"""

_FRAME = st.components.v2.component("frame", js=_SCRIPT)


def frame(lang: str, what: str, device: str, photo: str, file: str, drop: str) -> None:
    """Tell screen readers the language, scroll to the top once for each new `what`, and keep `device` for a year.

    `photo` is what the buttons that take a photo are called, `file` those that take another file,
    `drop` those that take one away that did not arrive.
    """
    cookie = f"{DEVICE_COOKIE}={device}; max-age={_YEAR_S}; path=/; samesite=strict"
    words = {"photo": photo, "file": file, "drop": drop, "photos": PHOTO_UPLOADERS}
    _FRAME(key="frame", data={"lang": lang, "what": what, "device": cookie, "words": words}, height=1)
