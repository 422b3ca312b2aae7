// How is a small tree drawn? Each branch with its lines, and what is below it.

import { wrapWords } from "./display-width.ts";
import type { Look } from "./look.ts";
import type { Style } from "./style.ts";

/** Something in the tree: its lines, the first of which stands behind the branch, and what is below it. */
export interface Branch {
  readonly lines: readonly string[];
  readonly below: readonly Branch[];
}

/** The lines of a tree; it is two levels deep. */
export function treeLines(branches: readonly Branch[], style: Style, indent = ""): string[] {
  return branches.flatMap(({ lines, below }, index) => {
    const isLast = index === branches.length - 1;
    const rest = `${indent}${isLast ? "   " : "│  "}`;
    return [
      ...lines.map((line, number) => `${style.dim(number > 0 ? rest : `${indent}${isLast ? "└─ " : "├─ "}`)}${line}`),
      ...treeLines(below, style, rest),
    ];
  });
}

/** A branch with nothing below it. What is painted cannot be measured: lines are broken before that. */
export function leaf(text: string, look: Look, mark?: string): Branch {
  const start = mark === undefined ? "" : `${mark} `;
  return {
    lines: brokenLines(text, look).map((line, index) => (index === 0 ? `${start}${line}` : `    ${line}`)),
    below: [],
  };
}

/** A text in lines that fit behind the branches of a tree. */
export function brokenLines(text: string, { width }: Look): readonly string[] {
  return wrapWords(text, width === undefined ? undefined : Math.max(20, width - 12));
}

/** Some of many, in their order: those that matter first, then from the beginning. */
export function someOf<Item>(items: readonly Item[], most: number, matters: (item: Item) => boolean): readonly Item[] {
  if (items.length <= most) return items;
  const chosen = new Set<Item>();
  for (const isFirst of [true, false])
    for (const item of items) if (chosen.size < most && matters(item) === isFirst) chosen.add(item);
  return items.filter((item) => chosen.has(item));
}
