// Which participants could run together in a world of any size, and what is true of each? Written from
// docs/how-it-resolves.md, for use with another solver; nothing of src/resolve or src/sat is used.

import type { Chosen } from "../../src/check/answer.ts";
import { type Candidates, candidatesOf, compareCatalogs } from "../../src/check/candidates.ts";
import { Matcher } from "../../src/check/match.ts";
import { unchoosable, unfit } from "../../src/check/single-operator.ts";
import type { Member } from "../../src/check/state.ts";
import type { Constraint, Requirement } from "../../src/constraint/constraint.ts";
import { matches } from "../../src/constraint/predicate.ts";
import { readRuntimeConstraint } from "../../src/constraint/read-runtime-constraint.ts";
import type { Property } from "../../src/model/catalog.ts";
import { isObject } from "../../src/model/json.ts";
import type { Installed, Problem } from "../../src/model/problem.ts";
import { readerFor } from "../worlds/table.ts";

/** A possible member; a bundle is only included if it may be chosen as far as it alone is concerned. */
export interface Participant {
  /** From 1, without gaps. */
  readonly number: number;
  readonly role: "node" | "installed" | "elsewhere" | "bundle";
  readonly package: string | undefined;
  readonly properties: readonly Property[];
  readonly requirements: readonly Requirement[];
  readonly apis: readonly string[];
  /** How many rules about a single operator it breaks. */
  readonly unfit: number;
  readonly installed?: Installed;
  readonly chosen?: Chosen;
}

/** All participants, and what they could do for the requests and for each other. */
export class Census {
  readonly problem: Problem;
  readonly participants: readonly Participant[];
  /** Of each request its candidates, the operator that it has last; nothing where one may not be chosen. */
  readonly ladders: readonly (readonly (Participant | undefined)[])[];
  /** Bundles that are a candidate of some request. */
  readonly asked: ReadonlySet<Participant>;
  /** Where each operator may go. */
  readonly targets: ReadonlyMap<Participant, readonly Participant[]>;
  readonly #matching = new Map<string, readonly Participant[]>();

  constructor(problem: Problem) {
    this.problem = problem;
    const candidates = problem.requests.map((request) => candidatesOf(problem, request));
    this.participants = allParticipants(problem, candidates).map((participant, index) => ({
      ...participant,
      number: index + 1,
    }));
    const byBundle = new Map<string, Participant>();
    const byOperator = new Map<Installed, Participant>();
    for (const participant of this.participants) {
      if (participant.chosen !== undefined) byBundle.set(keyOf(problem, participant.chosen), participant);
      if (participant.role === "installed") byOperator.set(participant.installed as Installed, participant);
    }
    this.ladders = candidates.map(({ bundles, installed }) => [
      ...bundles.map((one) => byBundle.get(keyOf(problem, one))),
      ...(installed === undefined ? [] : [byOperator.get(installed)]),
    ]);
    this.asked = new Set(this.ladders.flat().filter((one) => one?.role === "bundle") as Participant[]);
    this.targets = targetsOf(this.ladders);
  }

  /** The participants that match a leaf, or a compound of scope `bundle`. */
  matching(constraint: Constraint): readonly Participant[] {
    const key = predicateKey(constraint);
    let found = this.#matching.get(key);
    if (found === undefined) {
      found = this.participants.filter(({ properties }) => matches(constraint, properties) === true);
      this.#matching.set(key, found);
    }
    return found;
  }

  /** The participants that count for a requirement; beneath a `none` all but the requirer do. */
  serving(constraint: Constraint, self: Participant, beneathNone: boolean): readonly Participant[] {
    const found = this.matching(constraint);
    if (beneathNone) return found.filter((participant) => participant !== self);
    const { unavailable, options, namespace } = this.problem;
    if (unavailable.length === 0 || options.ignoreUnavailable) return found;
    return found.filter(({ chosen }, index) => {
      if (chosen === undefined || this.asked.has(found[index] as Participant)) return true;
      if (chosen.catalog === self.chosen?.catalog) return true;
      return unavailable.every((missing) => compareCatalogs(missing, chosen.catalog, namespace) > 0);
    });
  }
}

/** Is the participant in the namespace that is resolved? */
export function isLocal({ role }: Participant): boolean {
  return role === "installed" || role === "bundle";
}

/** May two that provide the same API not run together? */
export function mayNotShare(a: Participant, b: Participant): boolean {
  if (isLocal(a) && isLocal(b)) return true;
  const isAcross = (isLocal(a) && b.role === "elsewhere") || (isLocal(b) && a.role === "elsewhere");
  return isAcross && (a.package === undefined || a.package !== b.package);
}

/** Participants that share something, by what they share. */
export function groups(
  participants: readonly Participant[],
  keys: (participant: Participant) => readonly string[],
): ReadonlyMap<string, readonly Participant[]> {
  const found = new Map<string, Participant[]>();
  for (const participant of participants)
    for (const key of new Set(keys(participant))) {
      const group = found.get(key);
      if (group === undefined) found.set(key, [participant]);
      else group.push(participant);
    }
  return found;
}

/** Is a constraint asked of one member at a time? */
export function isPredicate(constraint: Constraint): boolean {
  return !("scope" in constraint) || constraint.scope === "bundle";
}

/** The same text for predicates with the same meaning. */
export function predicateKey(constraint: Constraint): string {
  switch (constraint.kind) {
    case "gvk":
      return JSON.stringify(["gvk", constraint.gvk.group, constraint.gvk.version, constraint.gvk.kind]);
    case "package":
      return JSON.stringify(["package", constraint.name, constraint.range.text]);
    case "label":
      return JSON.stringify(["label", constraint.label]);
    case "cel":
      return JSON.stringify(["cel", constraint.rule]);
    case "propertyEquals":
      return JSON.stringify(["propertyEquals", constraint.name, constraint.value]);
    default:
      return JSON.stringify([constraint.kind, ...constraint.constraints.map(predicateKey)]);
  }
}

function keyOf({ catalogs }: Problem, { catalog, bundle }: Chosen): string {
  return JSON.stringify([catalogs.indexOf(catalog), bundle.package, bundle.name]);
}

function allParticipants(problem: Problem, candidates: readonly Candidates[]): readonly Omit<Participant, "number">[] {
  const reader = readerFor(problem);
  const runtime = problem.runtime.entries.map(({ property }) => readRuntimeConstraint(property, reader).constraint);
  const wanted = new Set(candidates.flatMap(({ bundles }) => bundles.map((one) => keyOf(problem, one))));
  const matcher = new Matcher();
  const participants: Omit<Participant, "number">[] = [
    {
      role: "node",
      package: undefined,
      properties: problem.node.properties,
      requirements: [],
      apis: apisOf(problem.node.properties),
      unfit: 0,
    },
  ];
  const add = (member: Member): void => {
    const read = reader.of(member.properties);
    const faults = unfit(problem, member, read).length;
    const { role, catalog, bundle, installed } = member;
    if (catalog !== undefined && bundle !== undefined) {
      const isCandidate = wanted.has(keyOf(problem, { catalog, bundle }));
      if (faults > 0 || unchoosable(problem, member, isCandidate, runtime, matcher).length > 0) return;
    }
    participants.push({
      role: role === "chosen" ? "bundle" : role === "kept" ? "installed" : role,
      package: member.package,
      properties: member.properties,
      requirements: read.requirements,
      apis: apisOf(member.properties),
      unfit: role === "kept" ? faults : 0,
      ...(installed !== undefined && { installed }),
      ...(catalog !== undefined && bundle !== undefined && { chosen: { catalog, bundle } }),
    });
  };
  for (const one of problem.installed) add(running("kept", one));
  for (const one of problem.elsewhere) add(running("elsewhere", one));
  for (const catalog of problem.catalogs)
    for (const { bundles } of catalog.packages.values())
      for (const bundle of bundles.values()) {
        const { name, package: owner, properties } = bundle;
        add({ role: "chosen", name, package: owner, properties, installed: undefined, bundle, catalog });
      }
  return participants;
}

function running(role: "kept" | "elsewhere", installed: Installed): Member {
  const { name, package: owner, properties } = installed;
  return { role, name, package: owner, properties, installed, bundle: undefined, catalog: undefined };
}

function apisOf(properties: readonly Property[]): readonly string[] {
  return properties.flatMap(({ type, value }) =>
    type === "olm.gvk" && isObject(value) ? [`${value.group} ${value.version} ${value.kind}`] : [],
  );
}

function targetsOf(ladders: Census["ladders"]): ReadonlyMap<Participant, readonly Participant[]> {
  const targets = new Map<Participant, Participant[]>();
  for (const ladder of ladders) {
    const operator = ladder.at(-1);
    if (operator?.role !== "installed") continue;
    const known = targets.get(operator) ?? [];
    targets.set(operator, [...known, ...(ladder.slice(0, -1).filter((one) => one !== undefined) as Participant[])]);
  }
  return targets;
}
