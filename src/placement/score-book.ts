// Which scores does a cluster have, and are they still valid?
import { parseTimestamp, type Timestamp } from "../cel/value/timestamp.ts";
import { CelError, type Value } from "../cel/value/value.ts";
import type { AddOnPlacementScore, ClusterScore } from "../model/placement-score.ts";

/** The scores that one AddOnPlacementScore gives a cluster. */
export interface ScoreEntry {
  readonly scores: readonly ClusterScore[];
  /** RFC 3339; nothing means that they never expire. */
  readonly validUntil?: string | undefined;
}

/** How scores are looked up. */
export interface ScoreBookOptions {
  /** The time that validity is judged by. */
  readonly now: Timestamp;
  /** Are expired scores as good as any, as they are to OCM? */
  readonly ignoreExpiry?: boolean;
}

/** One AddOnPlacementScore of a cluster. */
interface Page {
  /** The scores as an expression sees them: maps with a name and a value. */
  readonly list: readonly Value[];
  readonly byName: ReadonlyMap<string, number>;
  /** Why they cannot be used: they have expired, or nobody can tell. */
  readonly expired: CelError | undefined;
}

/** The scores of all clusters. */
export class ScoreBook {
  readonly #pages = new Map<string, Map<string, Page>>();
  readonly #options: ScoreBookOptions;

  constructor(options: ScoreBookOptions) {
    this.#options = options;
  }

  /** The book of the objects that were given. */
  static of(objects: readonly AddOnPlacementScore[], options: ScoreBookOptions): ScoreBook {
    const book = new ScoreBook(options);
    for (const object of objects) book.add(object.namespace, object.name, object);
    return book;
  }

  /** Adds the scores of a cluster under the name of their resource; what was there before is replaced. */
  add(cluster: string, resource: string, entry: ScoreEntry): void {
    const page: Page = {
      list: entry.scores.map(({ name, value }) => ({ name, value })),
      byName: new Map(entry.scores.map(({ name, value }) => [name, value])),
      expired: this.#options.ignoreExpiry === true ? undefined : this.#expiry(entry, resource),
    };
    const ofCluster = this.#pages.get(cluster);
    if (ofCluster === undefined) this.#pages.set(cluster, new Map([[resource, page]]));
    else ofCluster.set(resource, page);
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
    const value = page.byName.get(name);
    if (value !== undefined) return value;
    return new CelError(`failed to get score: ${quoted(resource)} has no score ${quoted(name)}`);
  }

  #page(cluster: string, resource: string): Page | CelError {
    const page = this.#pages.get(cluster)?.get(resource);
    if (page !== undefined) return page.expired ?? page;
    return new CelError(`failed to get score: the cluster has no AddOnPlacementScore ${quoted(resource)}`);
  }

  #expiry({ validUntil }: ScoreEntry, resource: string): CelError | undefined {
    if (validUntil === undefined) return undefined;
    const end = parseTimestamp(validUntil);
    if (end instanceof CelError) {
      return new CelError(`failed to get score: validUntil of ${quoted(resource)} cannot be read: ${end.message}`);
    }
    const { seconds, nanos } = this.#options.now;
    const isOver = seconds > end.seconds || (seconds === end.seconds && nanos > end.nanos);
    return isOver ? new CelError(`failed to get score: ${quoted(resource)} expired at ${validUntil}`) : undefined;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length <= 100 ? text : `${text.slice(0, 99)}…`);
}
