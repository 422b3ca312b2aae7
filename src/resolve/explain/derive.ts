// How does the "no" follow from its causes? Everything is derived until a contradiction is found; then only the steps
// that lead to it are kept. Where nothing more follows, the proof splits into cases.

import { addTo, groupedBy } from "../../model/grouped.ts";
import { type Operator, packageOf } from "../member.ts";
import type { Cause, Matches } from "./cause.ts";
import { addRefs, Deduction, type Item, mergedRefs, type Ref } from "./deduction.ts";
import type { OperatorId, Proof, Step } from "./fact.ts";
import { type NumberedRules, numberedRules } from "./numbered-rules.ts";

/** Maximum depth of nested cases. */
const MAX_DEPTH = 4;
/** Maximum number of cases of one split. */
const MAX_CASES = 60;

/** The proof steps from causes that contradict each other. */
export function derive(causes: readonly Cause[], matches: Matches, idOf: (self: Operator) => OperatorId): Proof {
  const rules = numberedRules(causes, matches);
  const proof = prove(Deduction.of(rules), 0, 0);
  if (proof === undefined) {
    const facts = causes.map((_, place) => place);
    return { steps: [{ facts, after: [], conclusion: { kind: "impossible" } }], cases: [] };
  }
  return laidOut(proof, { rules, causes, idOf }, new Map(), 0);
}

/** A step before it has an index; its premises by item number. */
interface Line {
  readonly item: number;
  readonly causes: readonly number[];
  readonly after: readonly number[];
  readonly conclusion: Item["kind"] | "impossible";
  readonly members: readonly number[];
}

/** A case of a proof: contradictory, too; `item` states its assumption. */
interface FoundCase {
  readonly item: number;
  readonly members: readonly number[];
  readonly proof: Found;
}

/** A proof before its lines have indexes. */
interface Found {
  readonly lines: readonly Line[];
  readonly cases: readonly FoundCase[];
  /** Premises that were known before it began. */
  readonly needs: readonly Ref[];
}

/** The proof of a contradiction; its own lines are those of items numbered `from` and above. */
function prove(deduction: Deduction, from: number, depth: number): Found | undefined {
  const empty = deduction.saturate();
  if (empty !== undefined) {
    const { members } = deduction.items[empty] as Item;
    const refs = [{ item: empty, members: [] }, ...deduction.outOf(members)];
    return { ...walkBack(deduction, refs, { conclusion: "impossible", members: [] }, from), cases: [] };
  }
  return deduction.isExhausted || depth >= MAX_DEPTH ? undefined : proveByCases(deduction, from, depth);
}

function proveByCases(deduction: Deduction, from: number, depth: number): Found | undefined {
  const split = bestSplit(deduction);
  if (split === undefined || split.cases.length > MAX_CASES) return undefined;
  const { item, cases } = split;
  const before = deduction.items.length;
  const proven: FoundCase[] = [];
  for (const members of cases) {
    const proof = prove(deduction.supposing(members), before, depth + 1);
    if (proof === undefined) return undefined;
    proven.push({ item: before, members, proof });
  }
  const live = deduction.live(item);
  const { members } = deduction.items[item] as Item;
  const ruledOut = members.filter((member) => deduction.out[member] !== -1);
  const refs = [{ item, members: [] }, ...deduction.outOf(ruledOut)];
  const needs = proven.flatMap(({ proof }) => proof.needs).filter((ref) => ref.item < before);
  const walked = walkBack(deduction, refs, { conclusion: "one-of", members: live }, from, needs);
  return { ...walked, cases: proven };
}

interface Split {
  readonly item: number;
  readonly cases: readonly (readonly number[])[];
}

/** The set to split into cases: the fewest cases, packages before versions. */
function bestSplit(deduction: Deduction): Split | undefined {
  let best: Split | undefined;
  for (const item of deduction.open()) {
    const cases = casesOf(deduction, item);
    if (best === undefined || cases.length < best.cases.length) best = { item, cases };
  }
  return best;
}

function casesOf(deduction: Deduction, item: number): readonly (readonly number[])[] {
  const live = deduction.live(item);
  const { members } = deduction.rules;
  const byPackage = groupedBy(live, (member) => packageOf(members[member] as Operator) ?? `\0${member}`);
  const groups = byPackage.size > 1 ? byPackage : groupedBy(live, likeness(deduction.rules));
  return groups.size > 1 ? [...groups.values()] : live.map((member) => [member]);
}

/** A key that is equal for members with the same conditions and groups. */
function likeness({ conditions, conditionsByCause, groupsOf }: NumberedRules): (member: number) => string {
  const sets = [...new Set([...conditionsByCause.values()].flat().map(({ set }) => set))];
  const inside = new Map<number, number[]>();
  for (const [number, { members }] of sets.entries()) for (const member of members) addTo(inside, member, number);
  return (member) =>
    JSON.stringify([
      (conditions.get(member) ?? []).map(({ kind, causes, set }) => [kind, causes, sets.indexOf(set)]),
      (groupsOf.get(member) ?? []).map(({ cause }) => cause),
      inside.get(member) ?? [],
    ]);
}

/** The items from `from` on that the last line needs, in an order in which premises come first, and that line. */
function walkBack(
  deduction: Deduction,
  last: readonly Ref[],
  end: Pick<Line, "conclusion" | "members">,
  from: number,
  alsoNeeded: readonly Ref[] = [],
): Pick<Found, "lines" | "needs"> {
  const { items } = deduction;
  const wanted = new Map<number, Set<number>>();
  addRefs(wanted, [...last, ...alsoNeeded]);
  const refs = new Map<number, readonly Ref[]>();
  for (let item = items.length - 1; item >= from; item--) {
    const members = wanted.get(item);
    if (members === undefined) continue;
    const why = (items[item] as Item).why([...members]);
    refs.set(item, why);
    addRefs(wanted, why);
  }
  const lines: Line[] = [];
  const emitted = new Set<number>();
  const emit = (item: number): void => {
    if (emitted.has(item)) return;
    emitted.add(item);
    const why = refs.get(item);
    if (why === undefined) return;
    const after = inOrder(why, items);
    for (const one of after) emit(one);
    const { kind, causes, members } = items[item] as Item;
    const chosen = kind === "one-of" ? members : [...(wanted.get(item) as Set<number>)];
    lines.push({ item, causes, after, conclusion: kind, members: chosen });
  };
  for (const one of inOrder(alsoNeeded, items)) emit(one);
  const after = inOrder(last, items);
  for (const one of after) emit(one);
  const needs = mergedRefs([...last, ...alsoNeeded, ...[...refs.values()].flat()]).filter(({ item }) => item < from);
  return { lines: joined([...lines, { item: -1, causes: [], after, ...end }], items, alsoNeeded), needs };
}

/** First what must be chosen, then what is ruled out; each in the order of derivation. */
function inOrder(refs: readonly Ref[], items: readonly Item[]): readonly number[] {
  const numbers = [...new Set(refs.map(({ item }) => item))].sort((a, b) => a - b);
  const isPositive = (item: number): boolean => items[item]?.kind === "one-of";
  return [...numbers.filter(isPositive), ...numbers.filter((item) => !isPositive(item))];
}

/**
 * Merges the last line, which has no cause, with those that led to it; it states what is left, not what is ruled out.
 */
function joined(lines: readonly Line[], items: readonly Item[], alsoNeeded: readonly Ref[]): readonly Line[] {
  const neededLater = new Set(alsoNeeded.map(({ item }) => item));
  const narrowed = statedAsRest(lines, items, neededLater);
  const end = narrowed.at(-1) as Line;
  let before = narrowed.slice(0, -1);
  const isOnlyFor = (last: Line, { item }: Line): boolean =>
    last.after.includes(item) && !neededLater.has(item) && !before.some(({ after }) => after.includes(item));
  const leadsTo = (line: Line): boolean =>
    line.conclusion === "none-of" ||
    (end.conclusion === "impossible" ? line.members.length === 0 : end.after.length === 1);
  const possible = before.filter((line) => isOnlyFor(end, line) && leadsTo(line));
  const isNew = (line: Line): boolean =>
    line.causes.some((cause) => before.every((one) => one === line || !one.causes.includes(cause)));
  const partner = possible.findLast(isNew) ?? possible.at(-1);
  if (partner === undefined) return narrowed;
  let last = absorbed(end, partner);
  before = before.filter((line) => line !== partner);
  // A repetition that only leads to the conclusion is not a separate step.
  for (const line of before.toReversed()) {
    const others = before.filter((one) => one !== line);
    const known = new Set([
      ...last.causes,
      ...(line.conclusion === "none-of" ? others.flatMap((one) => one.causes) : []),
    ]);
    const isRepeated = line.causes.length > 0 && line.causes.every((cause) => known.has(cause));
    if (!isRepeated || end.conclusion !== "impossible" || !isOnlyFor(last, line)) continue;
    last = absorbed(last, line);
    before = others;
  }
  return [...before, last];
}

/** A line that also states what another one states. */
function absorbed(last: Line, other: Line): Line {
  const causes = [...new Set([...other.causes, ...last.causes])].sort((a, b) => a - b);
  const after = [...new Set([...last.after.filter((item) => item !== other.item), ...other.after])].sort(
    (a, b) => a - b,
  );
  return { ...last, causes, after };
}

/** "Only one may run, so none of these": if only the rest of a set matters, the rest is stated instead. */
function statedAsRest(lines: readonly Line[], items: readonly Item[], later: ReadonlySet<number>): readonly Line[] {
  const result = [...lines];
  for (const [index, line] of result.entries()) {
    if (line.conclusion !== "none-of" || !items[line.item]?.isExclusion || later.has(line.item)) continue;
    const users = result.filter(({ after }) => after.includes(line.item));
    if (users.some(({ item }) => item === -1)) continue;
    const ruledOut = new Set(line.members);
    const whole = result
      .slice(0, index)
      .find(
        ({ item, conclusion, members }) =>
          conclusion === "one-of" &&
          users.every(({ after }) => after.includes(item)) &&
          line.members.every((member) => members.includes(member)) &&
          members.length > ruledOut.size,
      );
    if (whole === undefined) continue;
    const members = whole.members.filter((member) => !ruledOut.has(member));
    const after = [...new Set([...line.after, whole.item])].sort((a, b) => a - b);
    result[index] = { ...line, conclusion: "one-of", members, after };
    for (const [place, user] of result.entries())
      if (users.includes(user)) result[place] = { ...user, after: user.after.filter((item) => item !== whole.item) };
  }
  return result;
}

/** The context of a proof. */
interface About {
  readonly rules: NumberedRules;
  readonly causes: readonly Cause[];
  readonly idOf: (self: Operator) => OperatorId;
}

/** Gives every line its index. */
function laidOut({ lines, cases }: Found, about: About, places: ReadonlyMap<number, number>, from: number): Proof {
  const own = new Map(places);
  const { members } = about.rules;
  const ids = (numbers: readonly number[]): readonly OperatorId[] =>
    numbers.map((number) => about.idOf(members[number] as Operator));
  const steps: Step[] = [];
  for (const { item, causes, after, conclusion, members: numbers } of rootsFirst(lines, about.causes)) {
    // Trivial items are not steps.
    if (causes.length === 0 && after.length === 0) continue;
    if (item !== -1) own.set(item, from + steps.length);
    const rests = after.flatMap((one) => own.get(one) ?? []);
    steps.push({
      facts: causes,
      after: [...new Set(rests)].sort((a, b) => a - b),
      conclusion: conclusion === "impossible" ? { kind: conclusion } : { kind: conclusion, members: ids(numbers) },
    });
  }
  const next = from + steps.length;
  return {
    steps,
    cases: cases.map(({ item, members: numbers, proof }) => ({
      members: ids(numbers),
      proof: laidOut(proof, about, new Map([...own, [item, next - 1]]), next),
    })),
  };
}

/** Operators that stay come first: they are often the root cause. */
function rootsFirst(lines: readonly Line[], causes: readonly Cause[]): readonly Line[] {
  const isRoot = (line: Line): boolean =>
    line.after.length === 0 &&
    line.conclusion !== "impossible" &&
    line.causes.length > 0 &&
    line.causes.every((cause) => causes[cause]?.kind === "stays");
  return [...lines.filter(isRoot), ...lines.filter((line) => !isRoot(line))];
}
