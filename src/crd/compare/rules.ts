// Which rules in CEL are new, gone, or became another one? What is told to people when a rule is not kept does not count.

import type { ValidationRule } from "../schema/schema.ts";
import { type Pair, tell } from "./pair.ts";
import { shown, shownChange } from "./shown.ts";

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
    if (then === undefined) tell(pair, "CRD218", "tighter", change, `must now keep the rule ${shown(now?.text ?? "")}`);
    else if (now === undefined)
      tell(pair, "CRD218", "looser", change, `need no longer keep the rule ${shown(then.text)}`);
    else tell(pair, "CRD218", "different", change, `must now keep the rule ${shownChange(now.text, then.text)}`);
  }
}

/** A rule, where it stands, and what people are told when it is not kept. */
interface Rule {
  readonly text: string;
  readonly position: number;
  readonly message: string | undefined;
}

/** Each rule once, by its text. A rule that is asked of new objects, too, is another one. */
function rulesOf(rules: readonly ValidationRule[]): ReadonlyMap<string, Rule> {
  const known = new Map<string, Rule>();
  for (const [position, { rule, optionalOldSelf, message }] of rules.entries()) {
    const text = optionalOldSelf ? `${rule.trim()} (optionalOldSelf)` : rule.trim();
    if (!known.has(text)) known.set(text, { text, position, message });
  }
  return known;
}

/** How many rules may be compared with how many others to find out which became which. */
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

/** The rule that tells people the same, otherwise the one that looks most like it, if more than half of it does. */
function successor(then: Rule, others: readonly Rule[]): Rule | undefined {
  const told = then.message && others.find(({ message }) => message === then.message);
  if (told) return told;
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
