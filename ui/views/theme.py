"""How the dashboard looks, as Streamlit options: large type, and colours that keep WCAG AA contrast in both modes."""

from __future__ import annotations

from typing import Final

THEME: Final[dict[str, object]] = {
    "theme.baseFontSize": 20,
    "theme.metricValueFontSize": "44px",
    "theme.metricValueFontWeight": 700,
    "theme.headingFontSizes": ["34px", "30px", "26px", "22px", "20px", "20px"],
    "theme.baseRadius": "8px",
    "theme.paddingTop": "0.5rem",
    "theme.paddingBottom": "2rem",
    "theme.light.primaryColor": "#0b5c3b",
    "theme.light.backgroundColor": "#ffffff",
    "theme.light.secondaryBackgroundColor": "#f2f5f1",
    "theme.light.textColor": "#16181d",
    "theme.light.linkColor": "#0b4fa0",
    "theme.light.borderColor": "#8a929c",
    "theme.light.yellowTextColor": "#5f4600",
    "theme.light.blueTextColor": "#0b3f80",
    "theme.light.greenTextColor": "#0b4f2c",
    "theme.light.redTextColor": "#8c1d18",
    "theme.light.chartCategoricalColors": ["#1558b0", "#9a4a00"],
    "theme.dark.primaryColor": "#1a7d52",
    "theme.dark.backgroundColor": "#14181a",
    "theme.dark.secondaryBackgroundColor": "#20272a",
    "theme.dark.textColor": "#f2f4f1",
    "theme.dark.linkColor": "#86c5ff",
    "theme.dark.borderColor": "#79828c",
    "theme.dark.chartCategoricalColors": ["#7db8ff", "#ffb066"],
}
