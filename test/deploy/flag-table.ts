// Which flags does a page about a controller have in its table, with which defaults, and which values of the chart set them?

import { readFileSync } from "node:fs";

export interface DocumentedFlag {
  /** `--lease-name`. */
  readonly flag: string;
  /** Undefined if the page has words in its place. */
  readonly byDefault: string | undefined;
  /** The path of the value; undefined if the chart has none. */
  readonly value: string | undefined;
}

/** One for each flag; several can be in a row. */
export function documentedFlags(page: string): readonly DocumentedFlag[] {
  const [, below = ""] = readFileSync(page, "utf8").split("\n## Flags\n");
  const rows = [...below.matchAll(/^\| (`-.*?) \| (.*?) \| (.*?) ?\|$/gm)];
  return rows.flatMap(([, flags = "", byDefault = "", value = ""]) =>
    [...flags.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => ({
      flag,
      byDefault: inCode(byDefault),
      value: inCode(value),
    })),
  );
}

/** The text of a cell that is code and nothing else. */
function inCode(cell: string): string | undefined {
  return /^`([^`]+)`$/.exec(cell)?.[1];
}
