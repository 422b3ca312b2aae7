// Which colours does the picture of a plan use? One set for light screens and one for dark ones; the meaning of a box is
// also shown by its text and its outline.

type Colours = Readonly<Record<keyof typeof LIGHT, string>>;

const LIGHT = {
  page: "#ffffff",
  ink: "#1f2328",
  faint: "#59636e",
  line: "#d8dee4",
  box: "#f6f8fa",
  added: "#1a7f37",
  removed: "#cf222e",
  joint: "#8250df",
  ground: "#f3edff",
};

const DARK: Colours = {
  page: "#0d1117",
  ink: "#e6edf3",
  faint: "#9198a1",
  line: "#2f353d",
  box: "#1c2129",
  added: "#3fb950",
  removed: "#f85149",
  joint: "#bc8cff",
  ground: "#241b36",
};

/** The CSS rules of the picture; they apply only inside it. */
export const SVG_STYLE: string = [
  ...rulesFor({
    text: "font:12px ui-sans-serif,system-ui,-apple-system,Segoe UI,DejaVu Sans,sans-serif",
    ".name,.namespace": "font-weight:600",
    ".namespace": "font-size:13px",
    ".small": "font-size:10px",
    ".end": "text-anchor:end",
    ".joint": "stroke-width:1.5",
    ".tie": "fill:none;stroke-dasharray:2 3",
    ".added": "stroke-width:2.5",
    ".removed": "stroke-dasharray:4 3",
  }),
  ...coloursOf(LIGHT),
  "@media (prefers-color-scheme:dark){",
  ...coloursOf(DARK),
  "}",
].join("\n");

function coloursOf({ page, ink, faint, line, box, added, removed, joint, ground }: Colours): readonly string[] {
  return rulesFor({
    text: `fill:${ink}`,
    ".head,.small,.reason": `fill:${faint}`,
    ".page": `fill:${page}`,
    ".line": `stroke:${line}`,
    ".hatch": `fill:${line}`,
    ".arrow": `stroke:${faint};marker-end:url(#plimsoll-arrow)`,
    ".tip": `fill:${faint}`,
    ".box": `fill:${box};stroke:${faint}`,
    ".added": `stroke:${added}`,
    ".removed": `stroke:${removed}`,
    ".joint": `fill:${ground};stroke:${joint}`,
    ".tie": `stroke:${joint}`,
  });
}

function rulesFor(rules: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(rules).map(([selectors, rule]) => {
    const inside = selectors.split(",").map((selector) => `.plimsoll-plan ${selector}`);
    return `${inside.join(",")}{${rule}}`;
  });
}
