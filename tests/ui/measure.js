// What a person with weak eyes or large fingers, or one who listens, would trip over: small text, small targets, faint
// text, sideways scroll, and what has no name.
() => {
  const roots = [document];
  for (const element of document.querySelectorAll("*")) if (element.shadowRoot) roots.push(element.shadowRoot);
  const shown = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return box.width > 1 && box.height > 1 && style.visibility !== "hidden" && style.opacity !== "0";
  };
  const name = (element) =>
    `${element.tagName.toLowerCase()} «${(element.textContent || element.ariaLabel || "").trim().slice(0, 40)}»`;
  const colour = (text) => {
    const parts = text.match(/[\d.]+/g).map(Number);
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const parent = (element) => element.parentElement ?? element.getRootNode().host ?? null;
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = parent(at)) {
      const layer = colour(getComputedStyle(at).backgroundColor);
      if (layer.alpha > 0) layers.push(layer);
      if (layer.alpha === 1) break;
    }
    let base = [255, 255, 255];
    for (const layer of layers.reverse())
      base = base.map((value, i) => value * (1 - layer.alpha) + layer.rgb[i] * layer.alpha);
    return base;
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((value) =>
      value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const found = {
    small_text: [],
    small_target: [],
    faint: [],
    unnamed: [],
    overflowing: [],
    wider: document.documentElement.scrollWidth > innerWidth,
  };
  const named = (element) =>
    [element.ariaLabel, element.textContent.trim(), element.alt, element.title].some(Boolean) ||
    element.hasAttribute("aria-labelledby") ||
    element.labels?.length > 0;
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      if (!shown(element) || element.closest("svg, style, script")) continue;
      const style = getComputedStyle(element);
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
      if (own && !style.fontFamily.includes("Material")) {
        const size = parseFloat(style.fontSize);
        if (size < 18) found.small_text.push(`${size}px ${name(element)}`);
        const disabled = element.closest(":disabled, [aria-disabled=true]");
        const ratio = contrast(colour(style.color).rgb, ground(element));
        const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
        if (!disabled && ratio < needed) found.faint.push(`${ratio.toFixed(2)} ${name(element)}`);
      }
      if (element.matches("button, a[href], input:not([type=file]), img, [role=radio]") && !named(element))
        found.unnamed.push(element.outerHTML.slice(0, 120));
      if (element.matches("button:not(.tile)") && element.scrollWidth > element.clientWidth + 1)
        found.overflowing.push(`${element.scrollWidth} in ${element.clientWidth} ${name(element)}`);
      const inline = element.tagName === "A" && style.display === "inline";
      if (
        element.matches("button, a[href], input:not([type=file]):not([type=checkbox]), summary, [role=radio]") &&
        !inline
      ) {
        const box = element.getBoundingClientRect();
        if (box.height < 47.5 || (element.matches("button") && box.width < 47.5))
          found.small_target.push(`${box.width.toFixed(0)}x${box.height.toFixed(0)} ${name(element)}`);
      }
    }
  }
  return found;
};
