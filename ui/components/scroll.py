"""Back to the top of the page when something else is to be read, such as another page or a confirmation."""

from __future__ import annotations

from typing import Final

import streamlit as st

_SCRIPT: Final = """
const seen = new WeakMap();

export default function ({ data, parentElement }) {
  const before = seen.get(parentElement);
  seen.set(parentElement, data.what);
  if (before !== data.what) document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
}
"""

_TO_TOP = st.components.v2.component("to_top", js=_SCRIPT)


def to_top_of(what: str) -> None:
    """Scroll to the top once for each new `what`."""
    _TO_TOP(key="to_top", data={"what": what}, height=1)
