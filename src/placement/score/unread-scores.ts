// Which AddOnPlacementScores exist and cannot be read, so that they must not count as absent? What depends on one of them is unknown.
import type { Program } from "../../cel/program.ts";
import { getOrAdd, removeFrom } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import type { FleetObjects } from "../engine.ts";
import type { UnreadScoreName } from "../fault.ts";
import { readBy } from "../interests.ts";

/** An AddOnPlacementScore that cannot be read. */
export interface UnreadScore extends UnreadScoreName {
  readonly place: Place;
}

/** The same as reports carry it. */
export function identityOf({ cluster, name }: UnreadScore): UnreadScoreName {
  return { cluster, name };
}

/** Those of a hub. */
export class UnreadScores {
  /** By name, then by cluster: there are few names. */
  readonly #byName = new Map<string, Map<string, UnreadScore>>();
  /** Of each name the one whose cluster comes first; emptied by every change. */
  readonly #first = new Map<string, UnreadScore>();

  add(score: UnreadScore): void {
    getOrAdd(this.#byName, score.name, () => new Map()).set(score.cluster, score);
    this.#first.clear();
  }

  /** Forgets one that can be read again, or is gone; returns whether there was one. */
  remove(cluster: string, name: string): boolean {
    if (!removeFrom(this.#byName, name, cluster)) return false;
    this.#first.clear();
    return true;
  }

  /** One of a cluster, with one of these names; undefined: with any. */
  of(cluster: string, names: ReadonlySet<string> | undefined): UnreadScore | undefined {
    for (const name of this.#known(names)) {
      const score = this.#byName.get(name)?.get(cluster);
      if (score !== undefined) return score;
    }
    return undefined;
  }

  /** One that an expression may read when it is evaluated for a cluster. */
  readBy(program: Program, cluster: string): UnreadScore | undefined {
    if (this.#byName.size === 0) return undefined;
    const { scores, readsOthers } = readBy(program);
    const own = this.of(cluster, scores);
    if (own !== undefined || !readsOthers) return own;
    const [name] = this.#known(scores);
    return name === undefined ? undefined : getOrAdd(this.#first, name, () => this.#firstOf(name));
  }

  #firstOf(name: string): UnreadScore {
    const scores = [...(this.#byName.get(name)?.values() ?? [])];
    return scores.reduce((a, b) => (compareText(a.cluster, b.cluster) < 0 ? a : b));
  }

  /** Those of the names that there are, in an order that does not depend on what happened before. */
  #known(names: ReadonlySet<string> | undefined): readonly string[] {
    if (this.#byName.size === 0) return [];
    return [...this.#byName.keys()].filter((name) => names === undefined || names.has(name)).sort(compareText);
  }
}

/** The scores that were given with their cluster and name, and could not be read. */
export function unreadScores({ rejected = [], addOnPlacementScores }: FleetObjects): UnreadScores {
  const scores = new UnreadScores();
  for (const { kind, meant = kind, namespace = "", name, place } of rejected)
    if (meant === "AddOnPlacementScore" && namespace !== "" && name !== undefined)
      scores.add({ cluster: namespace, name, place });
  for (const { namespace, name } of addOnPlacementScores) scores.remove(namespace, name);
  return scores;
}
