// Which parts of a cluster does a Placement read? A change of any other part needs no evaluation.
import { dependenciesOf } from "../cel/dependencies.ts";
import type { Program } from "../cel/program.ts";
import { getOrAdd } from "../model/grouped.ts";
import { isObject, isSame, type Json, type JsonObject, own } from "../model/json.ts";
import { type Eligibility, SET_LABEL } from "./eligible/eligibility.ts";
import type { BindingSource, FleetCluster } from "./fleet.ts";
import type { PreparedPlacement } from "./prepare/prepare.ts";
import { valueUnder } from "./prepare/selector.ts";

/** A part of a cluster that a Placement reads. */
export interface Interest {
  /** Equal for equal parts. */
  readonly key: string;
  readonly read: (entry: FleetCluster, source: BindingSource) => Json | undefined;
}

/** What a Placement reads. */
export interface Interests {
  readonly parts: readonly Interest[];
  /** The AddOnPlacementScores that expressions read, by name; undefined: any of them. */
  readonly scores: ReadonlySet<string> | undefined;
  /** Those that prioritizers read. */
  readonly rankingScores: ReadonlySet<string>;
  /** Do expressions read scores of clusters other than the one they are evaluated for? */
  readonly readsOthers: boolean;
}

/** Functions of expressions that read scores. Their first argument is the cluster. */
const SCORE_FUNCTIONS: ReadonlySet<string> = new Set(["scores", "score", "hasScore"]);

/** What a Placement reads of clusters. */
export function interestsOf(prepared: PreparedPlacement, eligibility: Eligibility): Interests {
  const parts = new Map<string, Interest>();
  const add = (interest: Interest): void => void parts.set(interest.key, interest);
  add({ key: "terminating", read: ({ cluster }) => cluster.terminating });
  add({ key: "taints", read: ({ cluster }) => cluster.taints as unknown as Json });
  if (eligibility.exclusive.size > 0) add(valuePart("label", SET_LABEL));
  for (const { requirements = [] } of eligibility.byLabels)
    for (const { key } of requirements) add(valuePart("label", key));
  let scores: Set<string> | undefined = new Set<string>();
  let readsOthers = false;
  for (const rule of [...prepared.predicates.flat(), ...prepared.groups.flatMap(({ rules }) => rules)]) {
    if (rule.kind !== "cel") add(valuePart(rule.kind, rule.key));
    else if (rule.program !== undefined) {
      const read = readBy(rule.program);
      for (const path of read.paths) add(pathPart(path));
      readsOthers ||= read.readsOthers;
      if (read.scores === undefined) scores = undefined;
      else for (const resource of read.scores) scores?.add(resource);
    }
  }
  for (const { topologyKey, topologyKeyType } of prepared.placement.spreadConstraints)
    add(valuePart(topologyKeyType === "Claim" ? "claim" : "label", topologyKey));
  const rankingScores = new Set<string>();
  for (const prioritizer of prepared.prioritizers) {
    if (prioritizer.kind === "AddOn") rankingScores.add(prioritizer.resourceName);
    if (prioritizer.kind !== "Allocatable") continue;
    const { resource } = prioritizer;
    for (const field of ["allocatable", "capacity"] as const)
      add({ key: `${field}:${resource}`, read: ({ cluster }) => own(cluster[field] as JsonObject, resource) });
  }
  return { parts: [...parts.values()], scores, rankingScores, readsOthers };
}

function valuePart(kind: "label" | "claim", key: string): Interest {
  const value = { kind, key };
  return { key: `${kind}:${key}`, read: ({ cluster }) => valueUnder(value, cluster) };
}

/** The value at the end of a path, and how far the path leads: expressions can distinguish that. */
function pathPart(path: readonly string[]): Interest {
  return {
    key: `path:${JSON.stringify(path)}`,
    read: (entry, source) => {
      let value = entry.bindings(source).managedCluster as Json | undefined;
      for (const [depth, key] of path.entries()) {
        if (value === undefined) return { missing: depth };
        if (!isObject(value)) return { at: depth, value };
        value = own(value, key);
      }
      return value === undefined ? { missing: path.length } : { value };
    },
  };
}

/** What an expression reads. */
interface ReadByExpression {
  /** Below managedCluster. */
  readonly paths: readonly (readonly string[])[];
  /** Of AddOnPlacementScores, by name; undefined: any of them. */
  readonly scores: ReadonlySet<string> | undefined;
  /** Does it read scores of a receiver that may be another cluster? */
  readonly readsOthers: boolean;
}

const readByProgram = new WeakMap<Program, ReadByExpression>();

/** What an expression reads of clusters. */
export function readBy(program: Program): ReadByExpression {
  return getOrAdd(readByProgram, program, () => {
    const { paths, calls } = dependenciesOf(program.checked);
    const resources = calls.filter(({ name }) => SCORE_FUNCTIONS.has(name)).map((call) => call.arguments[1]);
    return {
      paths: paths.filter(({ variable }) => variable === "managedCluster").map(({ path }) => path),
      scores: resources.every((resource) => typeof resource === "string") ? new Set(resources) : undefined,
      readsOthers: asksOthers(program),
    };
  });
}

/** `managedCluster.score(…)` reads its own scores; any other receiver may have any name. */
function asksOthers({ checked }: Program): boolean {
  for (const reference of checked.references.values()) {
    if (reference.kind !== "function" || !SCORE_FUNCTIONS.has(reference.name)) continue;
    const [receiver] = reference.args;
    const asked = receiver === undefined ? undefined : checked.references.get(receiver);
    if (asked?.kind !== "variable" || asked.name !== "managedCluster") return true;
  }
  return false;
}

/** The parts of a cluster that changed; each is compared once, however many Placements read it. */
export class ChangedParts {
  readonly #before: FleetCluster | undefined;
  readonly #after: FleetCluster | undefined;
  readonly #source: BindingSource;
  readonly #known = new Map<string, boolean>();

  constructor(before: FleetCluster | undefined, after: FleetCluster | undefined, source: BindingSource) {
    this.#before = before;
    this.#after = after;
    this.#source = source;
  }

  /** Does a Placement read one of them? */
  concern({ parts }: Interests): boolean {
    const before = this.#before;
    const after = this.#after;
    if (before === undefined || after === undefined) return before !== after;
    if (before.isUnread !== after.isUnread) return true;
    return parts.some(({ key, read }) => {
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      const isChanged = !isSame(read(before, this.#source), read(after, this.#source));
      this.#known.set(key, isChanged);
      return isChanged;
    });
  }
}
