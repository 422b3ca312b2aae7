// Which bundles of a catalog can meet a requirement, and in which order does OLM try them? An offer is a bundle in
// the chain of one channel: OLM takes the same bundle in two channels for two things.
import { byText } from "./problem.mjs";

/** The offers of a catalog: all, those of a package, those that provide an API; each list in OLM's order. */
export class Offers {
  ofPackage = new Map();
  #ofApi = new Map();
  #rank = new Map();
  #library;

  constructor(catalog, library) {
    this.#library = library;
    for (const channel of channelsInOrder(catalog)) {
      for (const entry of channel.chain) {
        if (entry.bundle === undefined) continue;
        const offer = { channel, entry, bundle: entry.bundle };
        this.#rank.set(offer, this.#rank.size);
        push(this.ofPackage, entry.bundle.package, offer);
        for (const api of apisOf(entry.bundle.properties)) push(this.#ofApi, api, offer);
      }
    }
  }

  /** The offers that meet a demand, best first. */
  meeting(demand) {
    switch (demand.kind) {
      case "gvk":
        return this.#ofApi.get(demand.api) ?? [];
      case "package": {
        const { inRange } = this.#library;
        const all = this.ofPackage.get(demand.name) ?? [];
        return all.filter(({ bundle }) => inRange(demand.range, bundle.version));
      }
      case "any": {
        const all = new Set(demand.demands.flatMap((one) => this.meeting(one)));
        return [...all].sort((a, b) => this.#rank.get(a) - this.#rank.get(b));
      }
    }
  }
}

/** Default channels first, then by package, then by channel. */
function channelsInOrder(catalog) {
  const order = byText(({ package: owner, name }) => `${owner}\0${name}`);
  const isDefault = (channel) => catalog.packages.get(channel.package).defaultChannel === channel.name;
  return [...catalog.packages.values()]
    .flatMap((one) => [...one.channels.values()])
    .sort((a, b) => isDefault(b) - isDefault(a) || order(a, b));
}

/** The APIs among some properties, as text. */
export function apisOf(properties) {
  return properties.filter(({ type }) => type === "olm.gvk").map(({ value }) => apiText(value));
}

/**
 * What properties demand: each a demand that a bundle must meet, or with `excludes` one that no other bundle may meet.
 * Undefined if OLM's solver cannot express it.
 */
export function demandsOf(properties, library) {
  const demands = [];
  for (const { type, value } of properties) {
    if (type === "olm.gvk.required") demands.push(readDemand({ gvk: value }, library));
    else if (type === "olm.package.required") demands.push(readDemand({ package: value }, library));
    else if (type === "olm.constraint" && value.none !== undefined) {
      const excluded = readDemand({ any: value.none }, library);
      demands.push(excluded && { ...excluded, excludes: true });
    } else if (type === "olm.constraint") demands.push(readDemand(value, library));
  }
  return demands.includes(undefined) ? undefined : demands;
}

function readDemand({ gvk, package: wanted, any }, library) {
  if (gvk !== undefined) return { kind: "gvk", api: apiText(gvk) };
  if (wanted !== undefined) {
    const range = library.parseRange(wanted.versionRange);
    return typeof range === "string" ? undefined : { kind: "package", name: wanted.packageName, range };
  }
  if (any === undefined) return undefined;
  const demands = any.constraints.map((one) => readDemand(one, library));
  return demands.includes(undefined) ? undefined : { kind: "any", demands };
}

/** Does this operator itself meet a demand? */
export function meets(operator, demand, library) {
  switch (demand.kind) {
    case "gvk":
      return apisOf(operator.properties).includes(demand.api);
    case "package":
      return operator.package === demand.name && library.inRange(demand.range, operator.version);
    case "any":
      return demand.demands.some((one) => meets(operator, one, library));
  }
}

function apiText({ group, version, kind }) {
  return `${group}/${version}/${kind}`;
}

/** Adds to the list under a key. */
export function push(lists, key, item) {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
