// Which operators are the furthest behind? Those that run at the oldest entries of their channels, each with a Subscription
// there, and their dependencies, as old as possible; without conflicts.
import { apisOf, demandsOf, meets, Offers } from "../resolve/offers.mjs";
import { byText, installedFrom } from "../resolve/problem.mjs";
import { shuffled } from "../resolve/random.mjs";

/** Namespaces of a cluster into which old operators are installed, one after another. */
export class OldCluster {
  /** Bundles that run, each with its channel and namespace. */
  running = [];
  #catalog;
  #library;
  #offers;
  #options;
  #demands = new Map();
  #packages = new Set();
  #apis = new Set();

  constructor(catalog, library, options) {
    this.#catalog = catalog;
    this.#library = library;
    this.#options = options;
    this.#offers = new Offers(catalog, library);
  }

  /** The default channels of all packages, by package or in a seeded order: first those with requirements, then the others. */
  channels(below) {
    const all = [...this.#catalog.packages.values()]
      .map((one) => one.channels.get(one.defaultChannel))
      .filter((channel) => channel?.chain.at(-1)?.bundle !== undefined)
      .toSorted(byText((channel) => channel.package));
    const order = below === undefined ? all : shuffled(all, below);
    const isDemanding = ({ chain }) => chain.some(({ bundle }) => bundle && this.#demandsOf(bundle)?.length !== 0);
    return [order.filter(isDemanding), order.filter((channel) => !isDemanding(channel))];
  }

  /** Installs the oldest operators of these channels with what they need, until this number runs, if they fit. */
  install(channels, until, namespace) {
    for (const channel of channels) {
      const together = this.#withDependencies({ channel, bundle: channel.chain.at(-1).bundle });
      if (together === undefined || this.running.length + together.length > until) continue;
      for (const one of together) {
        this.running.push({ ...one, namespace });
        this.#packages.add(one.bundle.package);
        for (const api of apisOf(one.bundle.properties)) this.#apis.add(api);
      }
    }
  }

  /** The problem of a namespace; the operators of all others are elsewhere. */
  problem(namespace) {
    const here = this.running.filter((one) => one.namespace === namespace);
    const elsewhere = this.running.filter((one) => one.namespace !== namespace);
    const order = byText((operator) => `${operator.namespace}\0${operator.name}`);
    return {
      namespace,
      catalogs: [this.#catalog],
      unavailable: [],
      requests: here.map((one) => requestOf(this.#catalog, one)).toSorted(byText((request) => request.id)),
      installed: here.map(operatorOf).toSorted(order),
      elsewhere: elsewhere.map(operatorOf).toSorted(order),
      node: { properties: [] },
      runtime: { entries: [], problems: [] },
      targets: undefined,
      removed: [],
      gone: [],
      options: this.#options,
    };
  }

  /** An offer and, for each demand, the oldest of the best channel that meets it; undefined if that does not get along. */
  #withDependencies(offer) {
    const together = [offer];
    const apis = new Set();
    for (const { bundle } of together) {
      const demands = this.#demandsOf(bundle);
      if (demands === undefined || this.#packages.has(bundle.package)) return undefined;
      for (const api of apisOf(bundle.properties)) {
        if (apis.has(api) || this.#apis.has(api)) return undefined;
        apis.add(api);
      }
      for (const demand of demands) {
        const running = [...together, ...this.running].map((one) => one.bundle);
        if (running.some((other) => meets(other, demand, this.#library))) continue;
        const offers = this.#offers.meeting(demand);
        const oldest = offers.findLast(({ channel }) => channel === offers[0].channel);
        if (oldest === undefined || together.some((one) => one.bundle.package === oldest.bundle.package))
          return undefined;
        together.push({ channel: oldest.channel, bundle: oldest.bundle });
      }
    }
    return together;
  }

  #demandsOf(bundle) {
    if (!this.#demands.has(bundle)) this.#demands.set(bundle, demandsOf(bundle.properties, this.#library));
    return this.#demands.get(bundle);
  }
}

function operatorOf({ bundle, namespace }) {
  return { ...installedFrom(bundle), namespace };
}

function requestOf(catalog, { bundle, channel, namespace }) {
  return {
    id: `${namespace}/${bundle.package}`,
    name: bundle.package,
    priority: 0,
    package: bundle.package,
    catalog: { name: catalog.name },
    channel: channel.name,
    installed: bundle.name,
    approval: "Automatic",
  };
}
