// Is a cause true of the problem that it speaks of? Each kind is held against what src/check and docs/how-it-resolves.md
// say; what is not true is said in a sentence.

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
import { areRivals, type Being, isLocal, type Named, type Population } from "./population.ts";

/** What a cause says wrongly. */
export function untruthsOf(cause: Cause, explained: Explained): readonly string[] {
  return new Witness(explained).untruths(cause);
}

class Witness {
  readonly #explained: Explained;
  readonly #population: Population;
  readonly #before: ReadonlySet<Being>;
  readonly #after: ReadonlySet<Being>;
  readonly #isRelaxed: boolean;

  constructor(explained: Explained) {
    this.#explained = explained;
    this.#population = explained.population;
    this.#before = this.#population.before();
    this.#after = this.#population.after(explained.answer);
    this.#isRelaxed = !this.#population.problem.options.compat;
  }

  untruths(cause: Cause): readonly string[] {
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
        const isSaid = cause.catalogs.every((one) => unavailable.some(({ name }) => name === one.name));
        return options.ignoreUnavailable || !isSaid || cause.catalogs.length === 0
          ? ["no such catalog is missing"]
          : [];
      }
    }
  }

  #of(named: Named): Being {
    const being = this.#population.of(named);
    if (being === undefined) throw new Error(`nobody knows ${"bundle" in named ? named.bundle.name : named.name}`);
    return being;
  }

  #wanted({ why, request, members }: WantedCause): readonly string[] {
    const said = members.map((one) => this.#of(one));
    if (request === undefined) {
      const { item } = this.#explained;
      const isMeant = !("request" in item) && said.every(({ name }) => name === item.name);
      return why === "goal" && isMeant ? [] : [`nobody asks for ${namesOf(said)}`];
    }
    const ladder = this.#population.ladder(request);
    const isSame = (wanted: Iterable<Being>): boolean => sameSet(said, wanted);
    const rank = ladder.findIndex((one) => this.#after.has(one));
    switch (why) {
      case "request":
        if (!isSame(ladder)) return [`${request.id} has other candidates: ${namesOf(ladder)}, not ${namesOf(said)}`];
        return rank >= 0 || this.#isAsker(request) || !this.#isRelaxed ? [] : [`${request.id} has no operator anyway`];
      case "goal": {
        const { item } = this.#explained;
        // The operator that a request has, and that stays, is not what it asks for.
        const asked = "request" in item && item.kept !== undefined ? ladder.slice(0, -1) : ladder;
        const wanted = "request" in item ? asked : ladder.slice(0, rank);
        return isSame(wanted) ? [] : [`the better ones are ${namesOf(wanted)}, not ${namesOf(said)}`];
      }
      case "update": {
        const operator = ladder.at(-1);
        if (operator?.role !== "installed") return [`${request.id} has no operator to update`];
        if (this.#after.has(operator)) return [`${operator.name} is not updated`];
        const targets = this.#population.targets(operator);
        return isSame(targets) ? [] : [`it moves to one of ${namesOf(targets)}, not ${namesOf(said)}`];
      }
      default: {
        if (rank < 0) return [`${request.id} has no operator`];
        const wanted = ladder.slice(0, rank + 1);
        if (!this.#comesFirst(request)) return [`${request.id} does not come first`];
        return isSame(wanted) ? [] : [`it has one of ${namesOf(wanted)}, not ${namesOf(said)}`];
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
    const said = targets.map((one) => this.#of(one));
    const isHeld = operator.installed?.hold !== undefined;
    if (operator.role !== "installed") return [`${operator.name} is not of this namespace`];
    if (kind === "stays") {
      if (!isHeld && possible.size > 0) return [`${operator.name} need not stay`];
      return said.every((one) => possible.has(one)) ? [] : [`${operator.name} has no such targets`];
    }
    if (isHeld) return [`${operator.name} must stay`];
    return sameSet(said, possible) ? [] : [`${operator.name} moves to ${namesOf(possible)}, not ${namesOf(said)}`];
  }

  #demands({ owner, demands, isRepair }: DemandCause): readonly string[] {
    return demands.flatMap(({ member, requirement }) => {
      const being = this.#of(member);
      const own = this.#population.demandsOf(being).find((one) => isSameDemand(one, requirement));
      if (!isOwnedBy(being, owner)) return [`${being.name} is not of ${owner}`];
      if (requirement.optional || own === undefined) return [`${being.name} makes no such demand`];
      if (being.role === "bundle") return isRepair ? [`a demand of ${being.name} was not broken before`] : [];
      if (!this.#isRelaxed) return [];
      const held = this.#population.holdsAmong(own.constraint, this.#before, being);
      if (!isRepair) return held ? [] : [`a demand of ${being.name} was broken before and may stay so`];
      if (held) return [`a demand of ${being.name} was not broken before`];
      const isStill = this.#after.has(being) && !this.#population.holdsAmong(own.constraint, this.#after, being);
      return isStill ? [`a demand of ${being.name} is not repaired`] : [];
    });
  }

  #refusals({ owner, refused, isRepair }: RefusalCause): readonly string[] {
    return refused.flatMap(({ member, refusal: { detail } }) => {
      const being = this.#of(member);
      if (!isOwnedBy(being, owner)) return [`${being.name} is not of ${owner}`];
      if (
        detail.rule === "runtime-constraint" &&
        detail.why === "refused" &&
        !this.#population.breaksConstraint(being, detail.number)
      )
        return [`${being.name} keeps rule ${detail.number}`];
      const isBroken =
        detail.rule === "one-provider"
          ? this.#population.beings.some((one) => !isLocal(one) && areRivals(being, one) && sharesApi(being, one))
          : this.#population.faultsOf(being).includes(detail.rule);
      if (!isBroken) return [`${being.name} does not break ${detail.rule}`];
      if (being.role === "bundle") return isRepair ? [`${being.name} was not there before`] : [];
      if (!isRepair) return [`${being.name} runs, and may go on`];
      return this.#after.has(being) ? [`${being.name} is not repaired`] : [];
    });
  }

  #onePer({ kind, of, members, isRepair }: OnePerCause): readonly string[] {
    const beings = members.map((one) => this.#of(one));
    const isOf = (being: Being): boolean => (kind === "one-bundle" ? being.package === of : being.apis.includes(of));
    const wrong = beings.filter((being) => !isOf(being)).map(({ name }) => `${name} is not one of ${of}`);
    if (!isRepair || !this.#isRelaxed) return wrong;
    const all = this.#population.beings.filter((being) => isOf(being) && (kind === "one-provider" || isLocal(being)));
    const isCrowded = (there: ReadonlySet<Being>): boolean => {
      const present = all.filter((one) => there.has(one));
      return present.some((a) => present.some((b) => a !== b && areRivals(a, b)));
    };
    if (!isCrowded(this.#before)) return [...wrong, `${of} was not broken before`];
    return isCrowded(this.#after) ? [...wrong, `${of} is not repaired`] : wrong;
  }

  /** Each user requires the API, which each of the bundles that bring its kind ends for him. */
  #unserved({ api, users, definers }: UnservedCause): readonly string[] {
    const [using, bringing] = [users, definers].map((list) => list.map((one) => this.#of(one))) as [Being[], Being[]];
    return using.flatMap((user) =>
      bringing
        .filter((one) => !this.#population.isEnded(api, user, one))
        .map(({ name }) => `${name} does not end ${api} for ${user.name}`),
    );
  }
}

/** Operators of other namespaces are called by namespace and name. */
function isOwnedBy({ role, package: owner, name, installed }: Being, said: string): boolean {
  return said === (owner ?? name) || (role === "elsewhere" && said === `${installed?.namespace}/${name}`);
}

function sharesApi(a: Being, b: Being): boolean {
  return a.apis.some((api) => b.apis.includes(api));
}

function isSameDemand(a: Requirement, b: Requirement): boolean {
  return a.property === b.property && a.action === b.action && keyOf(a) === keyOf(b);
}

function keyOf({ constraint }: Requirement): string {
  return `${"scope" in constraint ? constraint.scope : ""} ${predicateKey(constraint)}`;
}

function sameSet(a: Iterable<Being>, b: Iterable<Being>): boolean {
  const [first, second] = [new Set(a), new Set(b)];
  return first.size === second.size && [...first].every((one) => second.has(one));
}

function namesOf(beings: Iterable<Being>): string {
  return `[${[...beings].map(({ name }) => name).join(", ")}]`;
}
