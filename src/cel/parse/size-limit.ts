// Is the expression small enough to be processed without overflowing the stack?
import { type Call, children, isBinary, type Node } from "../ast.ts";
import type { IssueList } from "../issue.ts";

/** Characters (UTF-16 units) of an expression; cel-go has the same bound in code points. */
export const MAX_EXPRESSION_LENGTH = 100_000;
/** Parts of an expression after macros are expanded. */
export const MAX_NODES = 100_000;
/** Parts within parts; a chain of binary operators counts once. */
export const DEEPEST_STRUCTURE = 500;

const ADVICE = "split it into smaller ones";

/** Reports a text that is too long. */
export function isTooLong(text: string, issues: IssueList): boolean {
  if (text.length <= MAX_EXPRESSION_LENGTH) return false;
  const message = `the expression has ${text.length} characters; at most ${MAX_EXPRESSION_LENGTH} are read`;
  issues.add({ start: 0, end: 0 }, message, ADVICE);
  return true;
}

/** Gives every part a number, the greatest to the root. False, with an issue: there are too many, or it is too deep. */
export function numberParts(root: Node, issues: IssueList): boolean {
  const open: Node[] = [root];
  const depths: number[] = [1];
  let count = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const depth = depths.pop() as number;
    if (++count > MAX_NODES || depth > DEEPEST_STRUCTURE) {
      const how =
        count > MAX_NODES ? `has more than ${MAX_NODES} parts` : `is more than ${DEEPEST_STRUCTURE} levels deep`;
      issues.add(node, `the expression ${how}`, ADVICE);
      return false;
    }
    setNumber(node, count);
    const parts = children(node);
    if (parts.length === 0) continue;
    const binary = isBinary(node);
    for (const child of parts) {
      const chained = binary && (node as Call).args[0] === child && isBinary(child);
      open.push(child);
      depths.push(chained ? depth : depth + 1);
    }
  }
  setNumber(root, count + 1);
  return true;
}

function setNumber(node: { id?: number }, id: number): void {
  node.id = id;
}
