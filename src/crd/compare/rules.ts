// Which rules in CEL are new, gone, or became another one? The messages of rules are not compared.

import type { ValidationRule } from "../schema/schema.ts";
import { type Pair, report } from "./pair.ts";
import { shownChange } from "./value-text.ts";

/** Rules are the same if they say the same. */
export function compareRules(pair: Pair): void {
  if (pair.old.validations.length === 0 && pair.new.validations.length === 0) return;
  const before = rulesOf(pair.old.validations);
  const after = rulesOf(pair.new.validations);
  const removed = [...before.values()].filter(({ text }) => !after.has(text));
  const added = [...after.values()].filter(({ text }) => !before.has(text));
  for (const [then, now] of inPairs(removed, added)) {
    const keyword = ["x-kubernetes-validations", (now ?? then)?.position ?? 0];
    const change = { keyword, old: then?.text, new: now?.text };
    const effect = then === undefined ? "tighter" : now === undefined ? "looser" : "different";
    report(pair, "CRD218", effect, change, { kind: "rule", ...shownChange(now?.text, then?.text) });
  }
}

/** A rule, its position, and its message. */
interface Rule {
  readonly text: string;
  readonly position: number;
  readonly message: string | undefined;
}

/** Each rule once, by its text. With optionalOldSelf it is another rule. */
function rulesOf(rules: readonly ValidationRule[]): ReadonlyMap<string, Rule> {
  const known = new Map<string, Rule>();
  for (const [position, { rule, optionalOldSelf, message }] of rules.entries()) {
    const text = optionalOldSelf ? `${rule.trim()} (optionalOldSelf)` : rule.trim();
    if (!known.has(text)) known.set(text, { text, position, message });
  }
  return known;
}

/** How many pairs of rules are compared to find out which became which. */
const MAX_PAIRS = 10_000;

/** Each rule that is gone with the new one that it became, if there is one; the others alone. */
function inPairs(
  removed: readonly Rule[],
  added: readonly Rule[],
): readonly (readonly [Rule | undefined, Rule | undefined])[] {
  const left = new Set(added);
  const isBounded = removed.length * added.length <= MAX_PAIRS;
  const pairs = removed.map((then) => {
    const now = isBounded ? successor(then, [...left]) : undefined;
    if (now !== undefined) left.delete(now);
    return [then, now] as const;
  });
  return [...pairs, ...[...left].map((now) => [undefined, now] as const)];
}

/** The rule with the same message, otherwise the most similar one, if more than half of it is the same. */
function successor(then: Rule, others: readonly Rule[]): Rule | undefined {
  const sameMessage = then.message && others.find(({ message }) => message === then.message);
  if (sameMessage) return sameMessage;
  let [best, most] = [undefined as Rule | undefined, 0.5];
  for (const other of others) {
    const alike = likeness(then.text, other.text);
    if (alike >= most && (best === undefined || alike > most)) [best, most] = [other, alike];
  }
  return best;
}

/** How much of the longer of two texts is the beginning and the end that they have in common. */
function likeness(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let [head, tail] = [0, 0];
  while (head < most && a[head] === b[head]) head++;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return (head + tail) / Math.max(a.length, b.length, 1);
}
