// Is an expression true where its author would not expect it? `list.filter(…).all(…)` is, when nothing is left to ask.
import { children, type Node } from "../../cel/ast.ts";
import { type Issue, IssueList } from "../../cel/issue.ts";
import type { Program } from "../../cel/program.ts";

/** Doubts about an `all` that goes through what a `filter` has left: it also holds for an empty list (ocm.md §8.11). */
export function vacuousAlls({ text, checked }: Program): readonly Issue[] {
  const doubts = new IssueList(text);
  const open: Node[] = [checked.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "fold" && node.fold === "all" && node.range.kind === "fold" && node.range.fold === "filter")
      doubts.add(
        node.at,
        "`all` is true when the filter leaves nothing, so a cluster that has no such element is selected, too",
        "use `exists`, or ask first whether there is one",
      );
    open.push(...children(node));
  }
  return doubts.list();
}
