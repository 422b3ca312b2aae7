// How would OLM put a problem to its solver? As variables with numbers: a mandatory one for each subscription, which depends
// on its candidates in order; one for each operator that runs and for each offer that can be reached from those; and at most
// one of a package, and at most one provider of an API. A `none` at the top becomes conflicts: OLM itself would ignore it.
import { apisOf, demandsOf, meets, Offers, push } from "./offers.mjs";

/** The variables ({ id, m: mandatory, p: prohibited, d: dependencies, c: conflicts, a: at most }) of a problem, or undefined. */
export function olmVariables(problem, library) {
  const [catalog] = problem.catalogs;
  return new Variables(problem, new Offers(catalog, library), library).build();
}

class Variables {
  #problem;
  #offers;
  #library;
  #variables = [];
  #idOf = new Map();
  #waiting = [];
  #exclusions = [];

  constructor(problem, offers, library) {
    this.#problem = problem;
    this.#offers = offers;
    this.#library = library;
  }

  build() {
    const { requests, installed } = this.#problem;
    const subscriptions = requests.map((request) => this.#add(request, { m: 1 }));
    const claimed = new Set(requests.map((request) => request.installed));
    for (const operator of installed) this.#reach(operator, claimed.has(operator.name) ? {} : { m: 1 });
    for (const [index, request] of requests.entries()) subscriptions[index].d = [this.#candidates(request)];
    for (let member = this.#waiting.pop(); member !== undefined; member = this.#waiting.pop())
      if (!this.#demand(member)) return undefined;
    const asking = new Set(requests);
    const members = [...this.#idOf.keys()].filter((member) => !asking.has(member));
    this.#exclude(members);
    this.#atMostOne(members);
    return { variables: this.#variables, selectionOf: (resolution) => this.#selectionOf(resolution) };
  }

  #add(subject, fields) {
    const variable = { id: this.#variables.length, ...fields };
    this.#variables.push(variable);
    this.#idOf.set(subject, variable.id);
    return variable;
  }

  /** The number of an operator or an offer, whose demands are looked at later. */
  #reach(member, fields = {}) {
    const known = this.#idOf.get(member);
    if (known !== undefined) return known;
    const deprecated = contentOf(member).properties.some(({ type }) => type === "olm.deprecated");
    this.#waiting.push(member);
    return this.#add(member, { ...fields, ...(deprecated && member.bundle !== undefined && { p: 1 }) }).id;
  }

  #candidates({ package: name, channel, range, installed: installedName }) {
    const { inRange } = this.#library;
    const installed = this.#problem.installed.find((operator) => operator.name === installedName);
    const offers = (this.#offers.ofPackage.get(name) ?? []).filter(
      (offer) =>
        (channel === undefined || offer.channel.name === channel) &&
        (range === undefined || inRange(range, offer.bundle.version)) &&
        (installed === undefined || isUpdate(offer, installed, inRange)),
    );
    const ids = offers.map((offer) => this.#reach(offer));
    if (installed === undefined) return ids;
    const last = this.#idOf.get(installed);
    for (const id of ids) this.#variables[id].c = [last];
    return [...ids, last];
  }

  /** Records what a member depends on; false if that cannot be expressed. */
  #demand(member) {
    const demands = demandsOf(contentOf(member).properties, this.#library);
    if (demands === undefined) return false;
    const variable = this.#variables[this.#idOf.get(member)];
    for (const demand of demands) {
      if (demand.excludes) this.#exclusions.push({ member, demand });
      else {
        const running = this.#problem.installed.filter((operator) => meets(operator, demand, this.#library));
        variable.d ??= [];
        variable.d.push([...running, ...this.#offers.meeting(demand)].map((one) => this.#reach(one)));
      }
    }
    return true;
  }

  #exclude(members) {
    const installed = members.filter(({ bundle }) => bundle === undefined);
    for (const { member, demand } of this.#exclusions) {
      const matching = [
        ...installed.filter((operator) => meets(operator, demand, this.#library)),
        ...this.#offers.meeting(demand),
      ];
      const variable = this.#variables[this.#idOf.get(member)];
      const others = matching.filter((other) => contentOf(other) !== contentOf(member));
      variable.c = [
        ...(variable.c ?? []),
        ...others.map((one) => this.#idOf.get(one)).filter((id) => id !== undefined),
      ];
    }
  }

  #atMostOne(members) {
    const groups = new Map();
    for (const member of members) {
      const id = this.#idOf.get(member);
      const content = contentOf(member);
      for (const api of new Set(apisOf(content.properties))) push(groups, `api ${api}`, id);
      if (content.package !== undefined) push(groups, `package ${content.package}`, id);
    }
    for (const [name, ids] of groups) this.#add(name, { a: [[1, ...ids]] });
  }

  /** The numbers of what an answer of ours selects. Operators not reachable from the subscriptions have none. */
  #selectionOf({ operators, unsatisfied }) {
    const without = new Set(unsatisfied.map(({ request }) => request.id));
    const satisfied = this.#problem.requests.filter(({ id }) => !without.has(id));
    const members = operators.map((operator) =>
      operator.action === "keep"
        ? this.#problem.installed.find(({ name }) => name === operator.name)
        : this.#offerOf(operator),
    );
    return [...satisfied, ...members].map((one) => this.#idOf.get(one) ?? -1);
  }

  #offerOf({ package: owner, name, from: { channel } }) {
    const same = (this.#offers.ofPackage.get(owner) ?? []).filter(
      (offer) => offer.bundle.name === name && this.#idOf.has(offer),
    );
    return same.find((offer) => offer.channel.name === channel) ?? same[0];
  }
}

function contentOf(member) {
  return member.bundle ?? member;
}

/** Does an edge lead from an installed operator to an offer, towards the head? */
function isUpdate({ channel, entry, bundle }, installed, inRange) {
  if (entry.name === installed.name) return false;
  const isEdge =
    entry.replaces === installed.name ||
    entry.skips.includes(installed.name) ||
    (entry.skipRange !== undefined && inRange(entry.skipRange, installed.version));
  if (!isEdge) return false;
  const at = channel.chain.findIndex(({ name }) => name === installed.name);
  return at < 0 || channel.chain.findIndex((one) => one.bundle === bundle) < at;
}
