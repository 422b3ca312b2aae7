// Which metrics does docs/operations.md document? One in each row of its tables, with its labels; histograms say so.

import { readFileSync } from "node:fs";

export const PAGE = "docs/operations.md";

export interface DocumentedMetric {
  readonly name: string;
  readonly labels: readonly string[];
  readonly isHistogram: boolean;
}

/** The metrics of a section, or of the whole page. */
export function documentedMetrics(section?: string): readonly DocumentedMetric[] {
  const text = readFileSync(PAGE, "utf8");
  const [, below = ""] = section === undefined ? ["", text] : text.split(`\n### ${section}\n`);
  const part = section === undefined ? below : (below.split(/^##/m)[0] as string);
  return [...part.matchAll(/^\| `((?:plimsoll|process)_[a-z_]+)(?:\{([a-z,]+)\})?` \| (.*) \|$/gm)].map(
    ([, name = "", labels, meaning = ""]) => ({
      name,
      labels: labels?.split(",") ?? [],
      isHistogram: meaning.startsWith("histogram: "),
    }),
  );
}
