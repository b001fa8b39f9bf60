"""What only the browser can do for a page: tell its language, and go to the top when something else is to be read."""

from __future__ import annotations

from typing import Final

import streamlit as st

_SCRIPT: Final = """
const seen = new WeakMap();

export default function ({ data, parentElement }) {
  document.documentElement.lang = data.lang;
  const before = seen.get(parentElement);
  seen.set(parentElement, data.what);
  if (before !== data.what) document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
}
"""

_FRAME = st.components.v2.component("frame", js=_SCRIPT)


def frame(lang: str, what: str) -> None:
    """Tell screen readers the language, and scroll to the top once for each new `what`."""
    _FRAME(key="frame", data={"lang": lang, "what": what}, height=1)
