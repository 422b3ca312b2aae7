// What follows from the causes? Conclusions of the form "one of these must be chosen" and "none of these can be",
// each with its premises. Members are numbers here, so that packages with thousands of versions are fast.

import { getOrAdd, groupedBy } from "../../model/grouped.ts";
import type { Given, NumberedCondition, NumberedRules, NumberedSet } from "./numbered-rules.ts";

/** A premise of a conclusion: another one; for a `none-of`, only about these members. */
export interface Ref {
  readonly item: number;
  readonly members: readonly number[];
}

/** A conclusion. */
export interface Item extends Given {
  /** Its premises, restricted to these of its members. */
  readonly why: (members: readonly number[]) => readonly Ref[];
  /** It follows from a group that allows only one. */
  readonly isExclusion: boolean;
}

/** Work limit, in members looked at. */
const MAX_WORK = 6_000_000;
const MAX_ITEMS = 600;

/** Everything derived so far under one set of assumptions. */
export class Deduction {
  readonly rules: NumberedRules;
  readonly items: Item[];
  /** By member: the item that rules it out, or -1. */
  readonly out: Int32Array;
  readonly #oneOfs: number[];
  readonly #done = new Set<string>();
  readonly #work: { left: number };

  private constructor(rules: NumberedRules, before?: Deduction) {
    this.rules = rules;
    this.items = before === undefined ? [] : [...before.items];
    this.out = before === undefined ? new Int32Array(rules.members.length).fill(-1) : before.out.slice();
    this.#oneOfs = before === undefined ? [] : [...before.#oneOfs];
    this.#work = before === undefined ? { left: MAX_WORK } : before.#work;
  }

  /** What the causes state directly. */
  static of(rules: NumberedRules): Deduction {
    const deduction = new Deduction(rules);
    for (const given of rules.given) deduction.#add({ ...given, ...BY_ITSELF });
    return deduction;
  }

  /** A copy with the assumption that one of these is chosen; the index of that item is the previous number of items. */
  supposing(members: readonly number[]): Deduction {
    const other = new Deduction(this.rules, this);
    other.#oneOfs.push(other.items.length);
    other.items.push({ kind: "one-of", members, causes: [], ...BY_ITSELF });
    return other;
  }

  /** Is the work limit reached? */
  get isExhausted(): boolean {
    return this.#work.left <= 0 || this.items.length > MAX_ITEMS;
  }

  /** Derives until nothing new follows; returns the item of which no member is left, if there is one. */
  saturate(): number | undefined {
    for (let before = -1; before < this.items.length && !this.isExhausted; ) {
      before = this.items.length;
      for (const rule of [() => this.#exclude(), () => this.#requireForward(), () => this.#requireBackward()]) {
        const empty = this.#empty();
        if (empty !== undefined) return empty;
        rule();
      }
    }
    return this.#empty();
  }

  /** The members of an item that are not ruled out. */
  live(item: number): readonly number[] {
    const { members } = this.items[item] as Item;
    this.#work.left -= members.length;
    return members.filter((member) => this.out[member] === -1);
  }

  /** Why these members are ruled out. */
  outOf(members: readonly number[]): readonly Ref[] {
    const byItem = groupedBy(members, (member) => this.out[member] as number);
    return [...byItem].map(([item, list]) => ({ item, members: list }));
  }

  /** The sets of which one must be chosen and more than one still can be, without supersets of others. */
  open(): readonly number[] {
    const sets = this.#oneOfs.map((item) => ({ item, live: this.live(item) }));
    const isNarrower = (inner: readonly number[], outer: readonly number[]): boolean => {
      if (inner.length >= outer.length) return false;
      const all = new Set(outer);
      return inner.every((member) => all.has(member));
    };
    return sets
      .filter(({ live }) => live.length > 1 && !sets.some((other) => isNarrower(other.live, live)))
      .map(({ item }) => item);
  }

  #empty(): number | undefined {
    return this.#oneOfs.find((item) => this.live(item).length === 0);
  }

  #add(item: Item): void {
    const number = this.items.length;
    if (item.kind === "none-of") {
      const members = item.members.filter((member) => this.out[member] === -1);
      if (members.length === 0) return;
      this.items.push({ ...item, members });
      for (const member of members) this.out[member] = number;
      return;
    }
    if (this.#isKnown(item.members)) return;
    this.items.push(item);
    this.#oneOfs.push(number);
  }

  /** Is there a narrower set already? */
  #isKnown(members: readonly number[]): boolean {
    const inside = new Set(members);
    this.#work.left -= members.length;
    return this.#oneOfs.some((item) => this.live(item).every((member) => inside.has(member)));
  }

  /** Premises: an item, and why only these of its members are left. */
  #narrowed(item: number): readonly Ref[] {
    const { members } = this.items[item] as Item;
    return [{ item, members: [] }, ...this.outOf(members.filter((member) => this.out[member] !== -1))];
  }

  #isNew(...key: readonly (string | number)[]): boolean {
    const text = key.join(" ");
    if (this.#done.has(text)) return false;
    this.#done.add(text);
    return true;
  }

  /** If one of a subset of a group must be chosen, the rest of the group is ruled out. */
  #exclude(): void {
    for (const item of [...this.#oneOfs]) {
      const live = this.live(item);
      const [first] = live;
      if (first === undefined || !this.#isNew("exclude", item, live.length)) continue;
      for (const group of this.rules.groupsOf.get(first) ?? []) {
        this.#work.left -= live.length;
        if (!live.every((member) => group.members.has(member))) continue;
        this.#work.left -= group.members.size;
        const others = group.excludes(live).filter((member) => this.out[member] === -1);
        const refs = this.#narrowed(item);
        this.#add({ kind: "none-of", members: others, causes: [group.cause], why: () => refs, isExclusion: true });
      }
    }
  }

  /**
   * If one of a set must be chosen and each of them requires something, one of the providers must be chosen, and
   * what all of them exclude is ruled out.
   */
  #requireForward(): void {
    for (const item of [...this.#oneOfs]) {
      const live = this.live(item);
      if (live.length === 0 || this.isExhausted || !this.#isNew("forward", item, live.length)) continue;
      const byKey = new Map<string, Map<number, NumberedCondition>>();
      for (const member of live) {
        for (const condition of this.rules.conditions.get(member) ?? []) {
          const { kind, causes, set } = condition;
          const about = kind === "none" ? "none" : set.packages;
          addCondition(byKey, `${causes[0]} ${about}`, member, condition);
          if (kind === "some") addCondition(byKey, about, member, condition);
        }
      }
      for (const conditions of byKey.values())
        if (conditions.size === live.length) this.#conclude(item, [...conditions.values()]);
    }
  }

  #conclude(item: number, conditions: readonly NumberedCondition[]): void {
    const kind = conditions[0]?.kind;
    const sets = [...new Set(conditions.map(({ set }) => set))];
    for (const { members } of sets) this.#work.left -= members.length;
    const causes = [...new Set(conditions.flatMap((condition) => condition.causes))].sort((a, b) => a - b);
    const refs = this.#narrowed(item);
    const base = { causes, why: () => refs, isExclusion: false };
    if (kind === "some") {
      const members = [...new Set(sets.flatMap((set) => set.members))];
      this.#add({ kind: "one-of", members, ...base });
      return;
    }
    const [first, ...others] = sets.map(({ members }) => new Set(members));
    const owners = new Set(conditions.map(({ owner }) => owner));
    const members = [...(first ?? [])].filter((one) => !owners.has(one) && others.every((set) => set.has(one)));
    this.#add({ kind: "none-of", members, ...base });
  }

  /** A member whose requirement cannot be met is ruled out. */
  #requireBackward(): void {
    const ruledOut = new Map<NumberedSet, boolean>();
    const isGone = (set: NumberedSet): boolean =>
      getOrAdd(ruledOut, set, () => {
        this.#work.left -= set.members.length;
        return set.members.every((member) => this.out[member] !== -1);
      });
    for (const [cause, conditions] of this.rules.conditionsByCause) {
      ruledOut.clear();
      const present = new Map<NumberedSet, number | undefined>();
      const reasons = new Map<number, readonly Ref[]>();
      const causes = new Set([cause]);
      for (const condition of conditions) {
        const { owner, set } = condition;
        if (this.out[owner] !== -1 || reasons.has(owner)) continue;
        if (condition.kind === "some") {
          if (!isGone(set)) continue;
          reasons.set(owner, this.outOf(set.members));
        } else {
          if (!present.has(set)) present.set(set, this.#certainIn(set));
          const item = present.get(set);
          if (item === undefined) continue;
          reasons.set(owner, this.#narrowed(item));
        }
        for (const one of condition.causes) causes.add(one);
      }
      if (reasons.size === 0) continue;
      this.#add({
        kind: "none-of",
        members: [...reasons.keys()],
        causes: [...causes].sort((a, b) => a - b),
        why: (members) => mergedRefs(members.flatMap((member) => reasons.get(member) ?? [])),
        isExclusion: false,
      });
    }
  }

  /** An item that states that one of a set is chosen. */
  #certainIn({ members }: NumberedSet): number | undefined {
    const inside = new Set(members);
    return this.#oneOfs.find((item) => {
      const live = this.live(item);
      return live.length > 0 && live.every((member) => inside.has(member));
    });
  }
}

const BY_ITSELF: Pick<Item, "why" | "isExclusion"> = { why: () => [], isExclusion: false };

/** Stores a condition of a member under a key; a second one of the same member in a second list. */
function addCondition(
  byKey: Map<string, Map<number, NumberedCondition>>,
  key: string,
  member: number,
  condition: NumberedCondition,
): void {
  for (let place = 0; ; place++) {
    const name = `${place} ${key}`;
    const known = byKey.get(name);
    if (known === undefined) byKey.set(name, new Map([[member, condition]]));
    else if (known.has(member)) continue;
    else known.set(member, condition);
    return;
  }
}

/** Adds the members of premises to those of their items. */
export function addRefs(byItem: Map<number, Set<number>>, refs: readonly Ref[]): void {
  for (const { item, members } of refs) {
    const known = getOrAdd(byItem, item, () => new Set());
    for (const member of members) known.add(member);
  }
}

/** Each item once, with the union of its members. */
export function mergedRefs(refs: readonly Ref[]): readonly Ref[] {
  const byItem = new Map<number, Set<number>>();
  addRefs(byItem, refs);
  return [...byItem].map(([item, members]) => ({ item, members: [...members] }));
}
