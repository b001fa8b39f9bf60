"""What only the browser can do for a page: tell its language, go to the top for something new, keep its own name."""

from __future__ import annotations

from typing import Final

import streamlit as st

DEVICE_COOKIE: Final = "burraco_device"
_YEAR_S: Final = 365 * 24 * 3600

_SCRIPT: Final = """
const seen = new WeakMap();

export default function ({ data, parentElement }) {
  document.documentElement.lang = data.lang;
  document.cookie = data.device;
  const before = seen.get(parentElement);
  seen.set(parentElement, data.what);
  if (before !== data.what) document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
}
"""

_FRAME = st.components.v2.component("frame", js=_SCRIPT)


def frame(lang: str, what: str, device: str) -> None:
    """Tell screen readers the language, scroll to the top once for each new `what`, and keep `device` for a year."""
    cookie = f"{DEVICE_COOKIE}={device}; max-age={_YEAR_S}; path=/; samesite=strict"
    _FRAME(key="frame", data={"lang": lang, "what": what, "device": cookie}, height=1)
