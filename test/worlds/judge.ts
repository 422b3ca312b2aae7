// Which answers are allowed in a small world? The rules of docs/how-it-resolves.md over sets of bits: a second opinion on
// the verdicts of src/check.

import { compareCatalogs } from "../../src/check/candidates.ts";
import { Matcher } from "../../src/check/match.ts";
import { unchoosable, unfit } from "../../src/check/single-operator.ts";
import type { Member } from "../../src/check/state.ts";
import type { Constraint } from "../../src/constraint/constraint.ts";
import { readRuntimeConstraint } from "../../src/constraint/read-runtime-constraint.ts";
import { isObject } from "../../src/model/json.ts";
import type { Problem } from "../../src/model/problem.ts";
import { needsApproval } from "./approvals.ts";
import { forbiddenChanges, missingApis } from "./crd-rules.ts";
import type { Mask, Participant, Table } from "./table.ts";

/** A rule that is broken before anything is done. */
export type BrokenRule = (members: Mask) => boolean;

interface Demand {
  readonly participant: Participant;
  readonly constraint: Constraint;
}

/** Decides what is allowed. */
export class Judge {
  readonly table: Table;
  /** Bundles that may be chosen, as far as they alone are concerned. */
  readonly choosable: Mask;
  /** All participants before any change. */
  readonly before: Mask;
  /** Requirements that are not optional. */
  readonly #demands: readonly Demand[];
  /** Kept operators that break a rule all by themselves, with how many. */
  readonly #unfit: ReadonlyMap<number, number>;
  /** Which ones may not be together, at the position of each. */
  readonly #exclusions: readonly Mask[];
  readonly #unserving: ReadonlyMap<number, Mask>;

  constructor(table: Table) {
    this.table = table;
    const { problem } = table;
    this.before = table.node | table.elsewhere | table.installed;
    this.choosable =
      problem.runtime.problems.length > 0 ? 0 : table.mask((participant) => isChoosable(table, participant));
    this.#demands = table.participants.flatMap((participant) =>
      table
        .demandsOf(participant)
        .requirements.filter(({ optional }) => !optional)
        .map(({ constraint }) => ({ participant, constraint })),
    );
    this.#unfit = new Map(
      table
        .in(table.installed)
        .map((participant) => [
          participant.bit,
          unfit(problem, memberOf(participant), table.demandsOf(participant)).length,
        ]),
    );
    this.#exclusions = table.participants.map((a) => table.mask((b) => a !== b && exclude(problem, a, b)));
    this.#unserving = new Map(
      table.participants.map((participant) => [participant.bit, unservingFor(table, participant)]),
    );
  }

  /** Does a constraint of a member hold over a set of members? */
  holds(constraint: Constraint, members: Mask, self: Participant): boolean {
    const serving = members & ~(this.#unserving.get(self.bit) ?? 0);
    return this.#over(constraint, serving, members & ~self.bit);
  }

  /** `members` count everywhere, `others` beneath a `none`. */
  #over(constraint: Constraint, members: Mask, others: Mask): boolean {
    if (!("scope" in constraint) || constraint.scope === "bundle")
      return (this.table.matching(constraint) & members) !== 0;
    const held = constraint.constraints.filter((child) =>
      constraint.kind === "none" ? this.#over(child, others, others) : this.#over(child, members, others),
    ).length;
    if (constraint.kind === "none") return held === 0;
    return constraint.kind === "all" ? held === constraint.constraints.length : held > 0;
  }

  /** May these operators stay and these bundles come? */
  allows(kept: Mask, chosen: Mask): boolean {
    const { problem, elsewhere, node } = this.table;
    if ((chosen & ~this.choosable) !== 0) return false;
    for (const participant of this.table.in(this.table.installed)) {
      const stays = (kept & participant.bit) !== 0;
      if (stays !== ((this.table.targetsOf(participant.bit) & chosen) === 0)) return false;
      if (!stays && participant.installed?.hold !== undefined) return false;
    }
    const members = node | elsewhere | kept | chosen;
    const strict = problem.options.compat;
    for (const [position, participant] of this.table.participants.entries()) {
      if ((participant.bit & (strict ? kept | chosen : chosen)) === 0) continue;
      if (((this.#exclusions[position] as Mask) & members) !== 0) return false;
    }
    return this.#demands.every(({ participant, constraint }) => {
      if ((participant.bit & members) === 0 || this.holds(constraint, members, participant)) return true;
      return !strict && (participant.bit & chosen) === 0 && !this.holds(constraint, this.before, participant);
    });
  }

  /** The rules that are broken before any change; each tests whether it is still broken. */
  brokenBefore(): readonly BrokenRule[] {
    const demands = this.#demands.map(
      ({ participant, constraint }): BrokenRule =>
        (members) =>
          (members & participant.bit) !== 0 && !this.holds(constraint, members, participant),
    );
    const single = [...this.#unfit].flatMap(([bit, count]) =>
      Array.from({ length: count }, (): BrokenRule => (members) => (members & bit) !== 0),
    );
    return [...demands, ...single, ...this.#packageRules(), ...this.#apiRules()].filter((rule) => rule(this.before));
  }

  #packageRules(): readonly BrokenRule[] {
    const names = new Set(this.table.participants.flatMap((participant) => participant.package ?? []));
    return [...names].map((name) => (members) => {
      const local = this.table
        .in(members)
        .filter((participant) => isLocal(participant) && participant.package === name);
      return local.length > 1;
    });
  }

  #apiRules(): readonly BrokenRule[] {
    const apis = new Set(this.table.participants.flatMap(apisOf));
    return [...apis].map((api) => (members) => {
      const providers = this.table.in(members).filter((participant) => apisOf(participant).includes(api));
      return providers.some((a) => providers.some((b) => a !== b && mayNotShare(a, b)));
    });
  }
}

function memberOf({ role, package: owner, properties, installed, chosen }: Participant): Member {
  return {
    role: role === "bundle" ? "chosen" : role === "installed" ? "kept" : role,
    name: installed?.name ?? chosen?.bundle.name ?? "the cluster",
    package: owner,
    properties,
    installed,
    bundle: chosen?.bundle,
    catalog: chosen?.catalog,
  };
}

function isChoosable(table: Table, participant: Participant): boolean {
  if (participant.role !== "bundle") return false;
  const { problem, reader } = table;
  const runtime = problem.runtime.entries.map(({ property }) => readRuntimeConstraint(property, reader).constraint);
  const member = memberOf(participant);
  return (
    (participant.chosen === undefined || !needsApproval(problem, participant.chosen)) &&
    unfit(problem, member, table.demandsOf(participant)).length === 0 &&
    unchoosable(problem, member, true, runtime, new Matcher()).length === 0 &&
    (participant.chosen === undefined || forbiddenChanges(problem, participant.chosen.bundle).length === 0)
  );
}

function isLocal({ role }: Participant): boolean {
  return role === "installed" || role === "bundle";
}

function apisOf({ properties }: Participant): readonly string[] {
  return properties.flatMap(({ type, value }) =>
    type === "olm.gvk" && isObject(value) ? [`${value.group} ${value.version} ${value.kind}`] : [],
  );
}

/** May two not be together, because of a package or an API, or because one ends what the other needs? */
function exclude(problem: Problem, a: Participant, b: Participant): boolean {
  if (ends(problem, a, b) || ends(problem, b, a)) return true;
  if (isLocal(a) && isLocal(b) && a.package !== undefined && a.package === b.package) return true;
  return mayNotShare(a, b) && apisOf(a).some((api) => apisOf(b).includes(api));
}

function ends(problem: Problem, { chosen }: Participant, user: Participant): boolean {
  if (chosen === undefined || !isLocal(user)) return false;
  return missingApis(problem, { properties: user.properties, running: user.installed }, chosen.bundle).length > 0;
}

function mayNotShare(a: Participant, b: Participant): boolean {
  if (isLocal(a) && isLocal(b)) return true;
  const isPair = (isLocal(a) && b.role === "elsewhere") || (isLocal(b) && a.role === "elsewhere");
  return isPair && (a.package === undefined || a.package !== b.package);
}

/** New bundles that were not requested, where a catalog that cannot be read would have been asked earlier. */
function unservingFor(table: Table, requirer: Participant): Mask {
  const { unavailable, namespace, options } = table.problem;
  if (options.ignoreUnavailable) return 0;
  return table.mask(({ bit, chosen }) => {
    if (chosen === undefined || (bit & table.wanted) !== 0) return false;
    if (chosen.catalog === requirer.chosen?.catalog) return false;
    return unavailable.some((missing) => compareCatalogs(missing, chosen.catalog, namespace) < 0);
  });
}
