// Is a cause true of its problem? Each kind is compared with what src/check and docs/how-it-resolves.md
// define; each error is a sentence.

import type { Requirement } from "../../src/constraint/constraint.ts";
import type { Request } from "../../src/model/problem.ts";
import type {
  Cause,
  DemandCause,
  OnePerCause,
  RefusalCause,
  StayOrMoveCause,
  StaysCause,
  UnservedCause,
  WantedCause,
} from "../../src/resolve/explain/cause.ts";
import { predicateKey } from "../oracles/census.ts";
import type { Explained } from "./explained.ts";
import { areRivals, isLocal, type Named, type Participant, type Population } from "./population.ts";

/** The false statements of a cause. */
export function causeErrors(cause: Cause, explained: Explained): readonly string[] {
  return new CauseChecker(explained).errors(cause);
}

class CauseChecker {
  readonly #explained: Explained;
  readonly #population: Population;
  readonly #before: ReadonlySet<Participant>;
  readonly #after: ReadonlySet<Participant>;
  readonly #isRelaxed: boolean;

  constructor(explained: Explained) {
    this.#explained = explained;
    this.#population = explained.population;
    this.#before = this.#population.before();
    this.#after = this.#population.after(explained.answer);
    this.#isRelaxed = !this.#population.problem.options.compat;
  }

  errors(cause: Cause): readonly string[] {
    switch (cause.kind) {
      case "wanted":
        return this.#wanted(cause);
      case "stay-or-move":
      case "stays":
        return this.#movement(cause);
      case "demand":
        return this.#demands(cause);
      case "refusal":
        return this.#refusals(cause);
      case "one-bundle":
      case "one-provider":
        return this.#onePer(cause);
      case "unserved":
        return this.#unserved(cause);
      default: {
        const { unavailable, options } = this.#population.problem;
        const areUnavailable = cause.catalogs.every((one) => unavailable.some(({ name }) => name === one.name));
        return options.ignoreUnavailable || !areUnavailable || cause.catalogs.length === 0
          ? ["no such catalog is missing"]
          : [];
      }
    }
  }

  #of(named: Named): Participant {
    const participant = this.#population.of(named);
    if (participant === undefined)
      throw new Error(`unknown participant ${"bundle" in named ? named.bundle.name : named.name}`);
    return participant;
  }

  #wanted({ why, request, members }: WantedCause): readonly string[] {
    const claimed = members.map((one) => this.#of(one));
    if (request === undefined) {
      const { item } = this.#explained;
      const isMeant = !("request" in item) && claimed.every(({ name }) => name === item.name);
      return why === "goal" && isMeant ? [] : [`no request for ${namesOf(claimed)}`];
    }
    const ladder = this.#population.ladder(request);
    const isSame = (wanted: Iterable<Participant>): boolean => sameSet(claimed, wanted);
    const rank = ladder.findIndex((one) => this.#after.has(one));
    switch (why) {
      case "request":
        if (!isSame(ladder)) return [`${request.id} has other candidates: ${namesOf(ladder)}, not ${namesOf(claimed)}`];
        return rank >= 0 || this.#isAsker(request) || !this.#isRelaxed ? [] : [`${request.id} has no operator anyway`];
      case "goal": {
        const { item } = this.#explained;
        // The operator that a request has, and that stays, is not what it asks for.
        const asked = "request" in item && item.kept !== undefined ? ladder.slice(0, -1) : ladder;
        const wanted = "request" in item ? asked : ladder.slice(0, rank);
        return isSame(wanted) ? [] : [`the better ones are ${namesOf(wanted)}, not ${namesOf(claimed)}`];
      }
      case "update": {
        const operator = ladder.at(-1);
        if (operator?.role !== "installed") return [`${request.id} has no operator to update`];
        if (this.#after.has(operator)) return [`${operator.name} is not updated`];
        const targets = this.#population.targets(operator);
        return isSame(targets) ? [] : [`it moves to one of ${namesOf(targets)}, not ${namesOf(claimed)}`];
      }
      default: {
        if (rank < 0) return [`${request.id} has no operator`];
        const wanted = ladder.slice(0, rank + 1);
        if (!this.#comesFirst(request)) return [`${request.id} does not come first`];
        return isSame(wanted) ? [] : [`it has one of ${namesOf(wanted)}, not ${namesOf(claimed)}`];
      }
    }
  }

  #isAsker(request: Request): boolean {
    const { item } = this.#explained;
    return "request" in item ? item.request.id === request.id : true;
  }

  /** Does a request come before some request that would have what is held back? */
  #comesFirst(request: Request): boolean {
    const { item } = this.#explained;
    if ("request" in item) return false;
    const { requests } = this.#population.problem;
    const place = requests.findIndex(({ id }) => id === request.id);
    return requests.some((other, index) => index > place && other.package === item.package);
  }

  #movement({ kind, installed, targets }: StayOrMoveCause | StaysCause): readonly string[] {
    const operator = this.#of(installed);
    const possible = this.#population.targets(operator);
    const claimed = targets.map((one) => this.#of(one));
    const isHeld = operator.installed?.hold !== undefined;
    if (operator.role !== "installed") return [`${operator.name} is not of this namespace`];
    if (kind === "stays") {
      if (!isHeld && possible.size > 0) return [`${operator.name} need not stay`];
      return claimed.every((one) => possible.has(one)) ? [] : [`${operator.name} has no such targets`];
    }
    if (isHeld) return [`${operator.name} must stay`];
    return sameSet(claimed, possible)
      ? []
      : [`${operator.name} moves to ${namesOf(possible)}, not ${namesOf(claimed)}`];
  }

  #demands({ owner, demands, isRepair }: DemandCause): readonly string[] {
    return demands.flatMap(({ member, requirement }) => {
      const participant = this.#of(member);
      const own = this.#population.demandsOf(participant).find((one) => isSameDemand(one, requirement));
      if (!isOwnedBy(participant, owner)) return [`${participant.name} is not of ${owner}`];
      if (requirement.optional || own === undefined) return [`${participant.name} makes no such demand`];
      if (participant.role === "bundle")
        return isRepair ? [`a demand of ${participant.name} was not broken before`] : [];
      if (!this.#isRelaxed) return [];
      const held = this.#population.holdsAmong(own.constraint, this.#before, participant);
      if (!isRepair) return held ? [] : [`a demand of ${participant.name} was broken before and may stay so`];
      if (held) return [`a demand of ${participant.name} was not broken before`];
      const isStill =
        this.#after.has(participant) && !this.#population.holdsAmong(own.constraint, this.#after, participant);
      return isStill ? [`a demand of ${participant.name} is not repaired`] : [];
    });
  }

  #refusals({ owner, refused, isRepair }: RefusalCause): readonly string[] {
    return refused.flatMap(({ member, refusal: { detail } }) => {
      const participant = this.#of(member);
      if (!isOwnedBy(participant, owner)) return [`${participant.name} is not of ${owner}`];
      if (
        detail.rule === "runtime-constraint" &&
        detail.why === "refused" &&
        !this.#population.breaksConstraint(participant, detail.number)
      )
        return [`${participant.name} keeps rule ${detail.number}`];
      const isBroken =
        detail.rule === "one-provider"
          ? this.#population.participants.some(
              (one) => !isLocal(one) && areRivals(participant, one) && sharesApi(participant, one),
            )
          : this.#population.faultsOf(participant).includes(detail.rule);
      if (!isBroken) return [`${participant.name} does not break ${detail.rule}`];
      if (participant.role === "bundle") return isRepair ? [`${participant.name} was not there before`] : [];
      if (!isRepair) return [`${participant.name} runs, and may go on`];
      return this.#after.has(participant) ? [`${participant.name} is not repaired`] : [];
    });
  }

  #onePer({ kind, of, members, isRepair }: OnePerCause): readonly string[] {
    const participants = members.map((one) => this.#of(one));
    const isOf = (participant: Participant): boolean =>
      kind === "one-bundle" ? participant.package === of : participant.apis.includes(of);
    const wrong = participants
      .filter((participant) => !isOf(participant))
      .map(({ name }) => `${name} is not one of ${of}`);
    if (!isRepair || !this.#isRelaxed) return wrong;
    const all = this.#population.participants.filter(
      (participant) => isOf(participant) && (kind === "one-provider" || isLocal(participant)),
    );
    const isCrowded = (there: ReadonlySet<Participant>): boolean => {
      const present = all.filter((one) => there.has(one));
      return present.some((a) => present.some((b) => a !== b && areRivals(a, b)));
    };
    if (!isCrowded(this.#before)) return [...wrong, `${of} was not broken before`];
    return isCrowded(this.#after) ? [...wrong, `${of} is not repaired`] : wrong;
  }

  /** Each user requires the API, which each of the bundles that bring its kind ends for it. */
  #unserved({ api, users, definers }: UnservedCause): readonly string[] {
    const [using, bringing] = [users, definers].map((list) => list.map((one) => this.#of(one))) as [
      Participant[],
      Participant[],
    ];
    return using.flatMap((user) =>
      bringing
        .filter((one) => !this.#population.isEnded(api, user, one))
        .map(({ name }) => `${name} does not end ${api} for ${user.name}`),
    );
  }
}

/** Operators of other namespaces are called by namespace and name. */
function isOwnedBy({ role, package: owner, name, installed }: Participant, claimed: string): boolean {
  return claimed === (owner ?? name) || (role === "elsewhere" && claimed === `${installed?.namespace}/${name}`);
}

function sharesApi(a: Participant, b: Participant): boolean {
  return a.apis.some((api) => b.apis.includes(api));
}

function isSameDemand(a: Requirement, b: Requirement): boolean {
  return a.property === b.property && a.action === b.action && keyOf(a) === keyOf(b);
}

function keyOf({ constraint }: Requirement): string {
  return `${"scope" in constraint ? constraint.scope : ""} ${predicateKey(constraint)}`;
}

function sameSet(a: Iterable<Participant>, b: Iterable<Participant>): boolean {
  const [first, second] = [new Set(a), new Set(b)];
  return first.size === second.size && [...first].every((one) => second.has(one));
}

function namesOf(participants: Iterable<Participant>): string {
  return `[${[...participants].map(({ name }) => name).join(", ")}]`;
}
