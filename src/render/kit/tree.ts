// How is a tree drawn? Each branch with its lines, and below it its own branches.

import { wrapWords } from "./display-width.ts";
import { roomBeside } from "./lines.ts";
import type { Look } from "./look.ts";
import type { Style } from "./style.ts";

/** A branch as drawn: its lines, the first of them behind the fork, and its children. */
export interface Drawn<Below> {
  readonly lines: readonly string[];
  readonly below: readonly Below[];
}

/** A tree that is drawn as it is. */
export interface Branch extends Drawn<Branch> {}

/** The lines of a tree of any depth. `draw` is called for each branch once, from top to bottom. */
export function drawnTree<Item>(roots: readonly Item[], draw: (item: Item) => Drawn<Item>, style: Style): string[] {
  const lines: string[] = [];
  const waiting: { readonly item: Item; readonly indent: string; readonly isLast: boolean }[] = [];
  const wait = (items: readonly Item[], indent: string): void => {
    for (const [index, item] of [...items.entries()].reverse())
      waiting.push({ item, indent, isLast: index === items.length - 1 });
  };
  wait(roots, "");
  for (let fork = waiting.pop(); fork !== undefined; fork = waiting.pop()) {
    const { item, indent, isLast } = fork;
    const drawn = draw(item);
    const rest = `${indent}${isLast ? "   " : "│  "}`;
    for (const [index, line] of drawn.lines.entries())
      lines.push(`${style.dim(index > 0 ? rest : `${indent}${isLast ? "└─ " : "├─ "}`)}${line}`);
    wait(drawn.below, rest);
  }
  return lines;
}

export function treeLines(branches: readonly Branch[], style: Style): string[] {
  return drawnTree(branches, (branch) => branch, style);
}

/** A branch with nothing below it. Lines are wrapped before colour codes are added, which have no width. */
export function leaf(text: string, look: Look, mark?: string): Branch {
  const start = mark === undefined ? "" : `${mark} `;
  return {
    lines: brokenLines(text, look).map((line, index) => (index === 0 ? `${start}${line}` : `    ${line}`)),
    below: [],
  };
}

/** A text in lines that fit behind the branches of a tree. */
export function brokenLines(text: string, look: Look): readonly string[] {
  return wrapWords(text, roomBeside(12, look));
}

/** Some of many, in their order: those that matter first, then from the beginning. */
export function someOf<Item>(items: readonly Item[], most: number, matters: (item: Item) => boolean): readonly Item[] {
  if (items.length <= most) return items;
  const chosen = new Set<Item>();
  for (const isFirst of [true, false])
    for (const item of items) if (chosen.size < most && matters(item) === isFirst) chosen.add(item);
  return items.filter((item) => chosen.has(item));
}
