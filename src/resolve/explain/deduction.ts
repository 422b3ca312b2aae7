// What is certain? One of these has to be there, none of those can be: more and more of it follows from the causes, and
// each piece remembers why. Members are numbers here, so that packages with thousands of versions take no time.

import type { NumberedCondition, NumberedRules, NumberedSet } from "./numbered-rules.ts";

/** What a conclusion rests on: another one; of a `none-of`, what it says about these members. */
export interface Ref {
  readonly item: number;
  readonly members: readonly number[];
}

/** A conclusion. */
export interface Item {
  readonly kind: "one-of" | "none-of";
  readonly members: readonly number[];
  /** The numbers of the causes that it follows from. */
  readonly causes: readonly number[];
  /** What it rests on, as far as these of its members are concerned. */
  readonly why: (members: readonly number[]) => readonly Ref[];
  /** It says that a group has room for one only. */
  readonly isExclusion: boolean;
}

/** Work is counted in members looked at; when this is used up, thinking stops. */
const MAX_WORK = 6_000_000;
const MAX_ITEMS = 600;

/** Everything that is known of one state of thought. */
export class Deduction {
  readonly rules: NumberedRules;
  readonly items: Item[];
  /** By member: the item that says it cannot be there, or -1. */
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

  /** What the causes say outright, and nothing else. */
  static of(rules: NumberedRules): Deduction {
    const deduction = new Deduction(rules);
    for (const given of rules.given) deduction.#add({ ...given, ...BY_ITSELF });
    return deduction;
  }

  /** The same, and one of these is there; the number of the item that says so is the count of items before. */
  supposing(members: readonly number[]): Deduction {
    const other = new Deduction(this.rules, this);
    other.#oneOfs.push(other.items.length);
    other.items.push({ kind: "one-of", members, causes: [], ...BY_ITSELF });
    return other;
  }

  /** Is there no time left to think on? */
  get isTired(): boolean {
    return this.#work.left <= 0 || this.items.length > MAX_ITEMS;
  }

  /** Thinks until nothing new follows; the item of which nobody is left, if that is found. */
  think(): number | undefined {
    for (let before = -1; before < this.items.length && !this.isTired; ) {
      before = this.items.length;
      for (const rule of [() => this.#exclude(), () => this.#demandForward(), () => this.#demandBackward()]) {
        const empty = this.#empty();
        if (empty !== undefined) return empty;
        rule();
      }
    }
    return this.#empty();
  }

  /** The members of an item that can still be there. */
  live(item: number): readonly number[] {
    const { members } = this.items[item] as Item;
    this.#work.left -= members.length;
    return members.filter((member) => this.out[member] === -1);
  }

  /** Why these members cannot be there. */
  outOf(members: readonly number[]): readonly Ref[] {
    const byItem = new Map<number, number[]>();
    for (const member of members) {
      const item = this.out[member] as number;
      const list = byItem.get(item);
      if (list === undefined) byItem.set(item, [member]);
      else list.push(member);
    }
    return [...byItem].map(([item, list]) => ({ item, members: list }));
  }

  /** The sets of which one has to be there, and more than one still can be; not those that a narrower one is part of. */
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

  /** Does a narrower set say as much? */
  #isKnown(members: readonly number[]): boolean {
    const inside = new Set(members);
    this.#work.left -= members.length;
    return this.#oneOfs.some((item) => this.live(item).every((member) => inside.has(member)));
  }

  /** An item, and that of its members only these are left: as it is now. */
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

  /** One of these, all of one group: then nobody else of the group. */
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

  /** One of these, and each of them demands something: then one of those who meet it, and nobody whom all refuse. */
  #demandForward(): void {
    for (const item of [...this.#oneOfs]) {
      const live = this.live(item);
      if (live.length === 0 || this.isTired || !this.#isNew("forward", item, live.length)) continue;
      const byKey = new Map<string, Map<number, NumberedCondition>>();
      for (const member of live) {
        for (const condition of this.rules.conditions.get(member) ?? []) {
          const { kind, causes, set } = condition;
          const about = kind === "none" ? "none" : set.packages;
          put(byKey, `${causes[0]} ${about}`, member, condition);
          if (kind === "some") put(byKey, about, member, condition);
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

  /** Whose demand cannot be met any more cannot be there. */
  #demandBackward(): void {
    const gone = new Map<NumberedSet, boolean>();
    const isGone = (set: NumberedSet): boolean => {
      let answer = gone.get(set);
      if (answer === undefined) {
        this.#work.left -= set.members.length;
        answer = set.members.every((member) => this.out[member] !== -1);
        gone.set(set, answer);
      }
      return answer;
    };
    for (const [cause, conditions] of this.rules.conditionsByCause) {
      gone.clear();
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

  /** An item that says that one of a set is there. */
  #certainIn({ members }: NumberedSet): number | undefined {
    const inside = new Set(members);
    return this.#oneOfs.find((item) => {
      const live = this.live(item);
      return live.length > 0 && live.every((member) => inside.has(member));
    });
  }
}

const BY_ITSELF: Pick<Item, "why" | "isExclusion"> = { why: () => [], isExclusion: false };

/** Notes a condition of a member under a key; a second one of the same member in a second place. */
function put(
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

/** Each item once, with all that is meant of it. */
export function mergedRefs(refs: readonly Ref[]): readonly Ref[] {
  const byItem = new Map<number, Set<number>>();
  for (const { item, members } of refs) {
    const known = byItem.get(item) ?? new Set();
    byItem.set(item, known);
    for (const member of members) known.add(member);
  }
  return [...byItem].map(([item, members]) => ({ item, members: [...members] }));
}
