// Which scores does a cluster have, and are they still valid?
import { compareTimestamps, parseTimestamp, type Timestamp } from "../../cel/value/timestamp.ts";
import { CelError, type Value } from "../../cel/value/value.ts";
import { getOrAdd, removeFrom } from "../../model/grouped.ts";
import type { AddOnPlacementScore, ClusterScore } from "../../model/placement-score.ts";
import { quoted } from "../../text/words.ts";

/** The scores that one AddOnPlacementScore gives a cluster. */
export type ScoreEntry = Pick<AddOnPlacementScore, "scores" | "validUntil">;

/** How scores are looked up. */
export interface AddOnScoreOptions {
  /** The time at which validity is evaluated. */
  readonly now: Timestamp;
  /** Do expressions read expired scores like any other, as in OCM? */
  readonly ignoreExpiry?: boolean;
}

/** One score, as a prioritizer reads it. */
export interface ScoreLookup {
  /** As written, expired or not; undefined if there is none. */
  readonly value: number | undefined;
  /** Has it expired, or can its validUntil not be read? */
  readonly expired: boolean;
  /** Undefined if it never expires, or if validUntil cannot be read. */
  readonly validUntil: Timestamp | undefined;
}

const NOTHING: ScoreLookup = { value: undefined, expired: false, validUntil: undefined };

/** A score that an expression asks for cannot be used. */
export class ScoreError extends CelError {
  readonly why: string;
  constructor(why: string, range?: CelError["range"]) {
    super(`failed to get score: ${why}`, range);
    this.why = why;
  }
  override placed(range: NonNullable<CelError["range"]>): ScoreError {
    return this.range === undefined ? new ScoreError(this.why, { start: range.start, end: range.end }) : this;
  }
}

/** From this number of scores on, they are found by a map. */
const MANY_SCORES = 16;

/** One AddOnPlacementScore of a cluster. There are many, and few are read: everything that can be made later is. */
class Page {
  readonly #scores: readonly ClusterScore[];
  readonly #validUntil: string | undefined;
  #end: Timestamp | CelError | undefined;
  #list: readonly Value[] | undefined;
  #byName: ReadonlyMap<string, number> | undefined;

  constructor({ scores, validUntil }: ScoreEntry) {
    this.#scores = scores;
    this.#validUntil = validUntil;
  }

  /** The scores as an expression sees them: maps with a name and a value. */
  get list(): readonly Value[] {
    this.#list ??= this.#scores.map(({ name, value }) => ({ name, value }));
    return this.#list;
  }

  /** The last score with that name. */
  value(name: string): number | undefined {
    if (this.#scores.length < MANY_SCORES) return this.#scores.findLast((score) => score.name === name)?.value;
    this.#byName ??= new Map(this.#scores.map(({ name, value }) => [name, value]));
    return this.#byName.get(name);
  }

  /** Until when they count; or why that cannot be read. */
  get end(): Timestamp | CelError | undefined {
    if (this.#validUntil !== undefined) this.#end ??= parseTimestamp(this.#validUntil);
    return this.#end;
  }

  /** Why they do not count at that time. At the very moment of validUntil they still do. */
  expiry(now: Timestamp, resource: string): CelError | undefined {
    const end = this.end;
    if (end instanceof CelError) {
      return new ScoreError(`validUntil of ${quoted(resource)} cannot be read: ${end.message}`);
    }
    if (end === undefined || compareTimestamps(now, end) <= 0) return undefined;
    return new ScoreError(`${quoted(resource)} expired at ${this.#validUntil}`);
  }
}

/** The scores of all clusters, at a time that can move. */
export class AddOnScores {
  /** By resource, then by cluster: there are few resources. */
  #pages = new Map<string, Map<string, Page>>();
  /** By cluster; undefined until needed. */
  #resources: Map<string, Set<string>> | undefined;
  readonly #ignoreExpiry: boolean;
  /** Does nothing ever expire? */
  #isEternal = false;
  /** The time at which validity is evaluated. */
  now: Timestamp;

  constructor(options: AddOnScoreOptions) {
    this.now = options.now;
    this.#ignoreExpiry = options.ignoreExpiry === true;
  }

  /** The scores of the given objects. */
  static of(objects: readonly AddOnPlacementScore[], options: AddOnScoreOptions): AddOnScores {
    const addOnScores = new AddOnScores(options);
    for (const object of objects) addOnScores.add(object.namespace, object.name, object);
    return addOnScores;
  }

  /** The same scores, now and later, as if none of them expired. */
  eternal(): AddOnScores {
    const addOnScores = new AddOnScores({ now: this.now, ignoreExpiry: true });
    addOnScores.#pages = this.#pages;
    addOnScores.#isEternal = true;
    return addOnScores;
  }

  /** Adds the scores of a cluster under the name of their resource; what was there before is replaced. */
  add(cluster: string, resource: string, entry: ScoreEntry): void {
    this.#index(cluster, resource);
    getOrAdd(this.#pages, resource, () => new Map()).set(cluster, new Page(entry));
  }

  /** Forgets the scores of a cluster under the name of their resource. */
  remove(cluster: string, resource: string): void {
    removeFrom(this.#pages, resource, cluster);
    if (this.#resources !== undefined) removeFrom(this.#resources, cluster, resource);
  }

  /** The resources that a cluster has scores of, in no particular order. */
  resources(cluster: string): readonly string[] {
    if (this.#resources === undefined) {
      this.#resources = new Map();
      for (const [resource, pages] of this.#pages) for (const name of pages.keys()) this.#index(name, resource);
    }
    return [...(this.#resources.get(cluster) ?? [])];
  }

  /** Until when the scores of a resource count; or why that cannot be read; undefined if there are none, or if they never expire. */
  end(cluster: string, resource: string): Timestamp | CelError | undefined {
    return this.#isEternal ? undefined : this.#pages.get(resource)?.get(cluster)?.end;
  }

  /** Have the scores of a resource expired, or can validUntil not be read? */
  isOver(cluster: string, resource: string): boolean {
    const end = this.end(cluster, resource);
    return end !== undefined && (end instanceof CelError || compareTimestamps(this.now, end) > 0);
  }

  /** The next end of any scores of these resources; undefined: of all. */
  nextEnd(resources: ReadonlySet<string> | undefined): Timestamp | undefined {
    let first: Timestamp | undefined;
    for (const resource of resources ?? this.#pages.keys())
      for (const { end } of this.#pages.get(resource)?.values() ?? [])
        if (end !== undefined && !(end instanceof CelError) && compareTimestamps(end, this.now) >= 0)
          first = first === undefined || compareTimestamps(end, first) < 0 ? end : first;
    return first;
  }

  /** One score for a prioritizer, which always respects validUntil. */
  value(cluster: string, resource: string, name: string): ScoreLookup {
    const page = this.#pages.get(resource)?.get(cluster);
    if (page === undefined) return NOTHING;
    const value = page.value(name);
    if (this.#isEternal) return { value, expired: false, validUntil: undefined };
    const end = page.end;
    if (end instanceof CelError) return { value, expired: true, validUntil: undefined };
    return { value, expired: end !== undefined && compareTimestamps(this.now, end) > 0, validUntil: end };
  }

  /** All scores of a resource, as an expression sees them; or why they cannot be used. */
  list(cluster: string, resource: string): readonly Value[] | CelError {
    const page = this.#page(cluster, resource);
    return page instanceof CelError ? page : page.list;
  }

  /** One score; or why it cannot be used. */
  score(cluster: string, resource: string, name: string): number | CelError {
    const page = this.#page(cluster, resource);
    if (page instanceof CelError) return page;
    const value = page.value(name);
    if (value !== undefined) return value;
    return new ScoreError(`${quoted(resource)} has no score ${quoted(name)}`);
  }

  #index(cluster: string, resource: string): void {
    if (this.#resources !== undefined) getOrAdd(this.#resources, cluster, () => new Set()).add(resource);
  }

  #page(cluster: string, resource: string): Page | CelError {
    const page = this.#pages.get(resource)?.get(cluster);
    if (page !== undefined) return (this.#ignoreExpiry ? undefined : page.expiry(this.now, resource)) ?? page;
    return new ScoreError(`the cluster has no AddOnPlacementScore ${quoted(resource)}`);
  }
}
