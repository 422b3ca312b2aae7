// What is a realistic problem? A real catalog, scaled up, and thirty subscriptions: half of them of packages that depend on
// others, half of them with an operator that is not the newest.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { apisOf, demandsOf, meets, Offers } from "./offers.mjs";
import { byText, installedFrom, problemOf, requestFor } from "./problem.mjs";
import { randomBelow, shuffled } from "./random.mjs";

const SUBSCRIPTIONS = 30;
/** Further ones, each of which is added to the thirty separately. */
const FURTHER = 10;
/** An old version is at most this number of versions behind. */
const BEHIND = 5;

/** The problem of a seed, and requests that could be added to it. */
export async function realisticProblem({ library, options, data, cache, bundles, seed }) {
  const catalog = await scaledCatalog(library, data, cache, bundles, seed);
  const world = new World(catalog, library, randomBelow(seed * 7919 + bundles));
  const [demanding, plain] = world.packages();
  const half = SUBSCRIPTIONS / 2;
  world.subscribe(demanding, half, Math.floor(half / 2));
  world.subscribe(plain, SUBSCRIPTIONS, half);
  const requests = [...world.requests];
  const installed = [...world.installed];
  world.subscribe([...demanding, ...plain], SUBSCRIPTIONS + FURTHER, 0);
  const further = world.requests.slice(requests.length);
  return { problem: problemOf({ catalog, requests, installed, options }), further };
}

/** The catalog that tool/scale.mjs makes of the real one; made once. */
export async function scaledCatalog(library, data, cache, bundles, seed) {
  mkdirSync(cache, { recursive: true });
  const path = join(cache, `scaled-${bundles}-seed${seed}.jsonl`);
  if (!existsSync(path)) {
    const real = join(data, "catalog-operatorhub.jsonl.gz");
    const size = ["--bundles", String(bundles), "--seed", String(seed)];
    const made = spawnSync(process.execPath, [join(data, "tool/scale.mjs"), "--in", real, ...size, "--out", path]);
    if (made.status !== 0) throw new Error(`tool/scale.mjs failed: ${made.stderr}`);
  }
  return loadedCatalog(library, path);
}

/** The catalog of a file. */
export async function loadedCatalog({ loadCatalog, InputFiles, DEFAULT_LIMITS }, path) {
  const loaded = await loadCatalog({ name: "bench", priority: 0, path }, new InputFiles(DEFAULT_LIMITS));
  if (loaded.kind !== "loaded") throw new Error(loaded.finding.message);
  return loaded.catalog;
}

/** A namespace into which operators are subscribed and installed, one after another, so that all of them get along. */
class World {
  requests = [];
  installed = [];
  #catalog;
  #library;
  #below;
  #offers;
  #demands = new Map();
  #hopeless = new Set();
  #apis = new Set();

  constructor(catalog, library, below) {
    this.#catalog = catalog;
    this.#library = library;
    this.#below = below;
    this.#offers = new Offers(catalog, library);
    this.#findHopeless();
  }

  /** Packages whose newest version can be installed in principle, in a seeded order: those with dependencies, the others. */
  packages() {
    const heads = [...this.#catalog.packages.values()]
      .map((one) => this.#defaultChain(one)[0]?.bundle)
      .filter((bundle) => bundle !== undefined && !this.#hopeless.has(bundle));
    const order = shuffled(heads.toSorted(byText((bundle) => bundle.package)), this.#below);
    const isDemanding = (bundle) => this.#demands.get(bundle).length > 0;
    return [order.filter(isDemanding), order.filter((bundle) => !isDemanding(bundle))];
  }

  /** Subscribes to these until there are `until` requests, the first ones with old versions until `oldUntil` are installed. */
  subscribe(heads, until, oldUntil) {
    for (const head of heads) {
      if (this.requests.length >= until) return;
      if (this.#isSubscribed(head.package) || this.#clashes(head)) continue;
      if (this.#installOld(head, until, oldUntil)) continue;
      for (const api of apisOf(head.properties)) this.#apis.add(api);
      this.requests.push(requestFor(this.#catalog, head.package));
    }
  }

  /** Installs an older version together with what that needs, each with a subscription, if all of it fits. */
  #installOld(head, until, oldUntil) {
    const chain = this.#defaultChain(this.#catalog.packages.get(head.package));
    if (this.installed.length >= oldUntil || chain.length < 2) return false;
    const old = chain[1 + this.#below(Math.min(BEHIND, chain.length - 1))].bundle;
    const together = old !== undefined && this.#withDependencies(old);
    if (!together || this.requests.length + together.length > until) return false;
    if (this.installed.length + together.length > oldUntil) return false;
    for (const bundle of together) {
      const operator = installedFrom(bundle);
      for (const api of apisOf(bundle.properties)) this.#apis.add(api);
      this.installed.push(operator);
      this.requests.push(requestFor(this.#catalog, bundle.package, { installed: operator }));
    }
    return true;
  }

  /** A bundle and, for each demand, the first that meets it, and so on; undefined if that does not get along. */
  #withDependencies(bundle) {
    const together = [bundle];
    const apis = new Set();
    for (const one of together) {
      if (this.#hopeless.has(one) || this.#isSubscribed(one.package) || this.#clashes(one)) return undefined;
      for (const api of apisOf(one.properties)) {
        if (apis.has(api)) return undefined;
        apis.add(api);
      }
      for (const demand of this.#demands.get(one)) {
        if ([...together, ...this.installed].some((other) => meets(other, demand, this.#library))) continue;
        const first = this.#offers.meeting(demand).find((offer) => !this.#hopeless.has(offer.bundle));
        if (first === undefined || together.some((other) => other.package === first.bundle.package)) return undefined;
        together.push(first.bundle);
      }
    }
    return together;
  }

  #isSubscribed(name) {
    return this.requests.some((request) => request.package === name);
  }

  #clashes(bundle) {
    return apisOf(bundle.properties).some((api) => this.#apis.has(api));
  }

  #defaultChain(one) {
    return one.channels.get(one.defaultChannel)?.chain ?? [];
  }

  /** Bundles with a requirement that no bundle meets, or only hopeless ones. */
  #findHopeless() {
    const demanding = [];
    for (const { bundles } of this.#catalog.packages.values()) {
      for (const bundle of bundles.values()) {
        const demands = demandsOf(bundle.properties, this.#library) ?? [];
        this.#demands.set(bundle, demands);
        if (demands.length > 0) demanding.push(bundle);
      }
    }
    for (let before = -1; before < this.#hopeless.size; ) {
      before = this.#hopeless.size;
      for (const bundle of demanding) {
        const isMet = (demand) => this.#offers.meeting(demand).some((offer) => !this.#hopeless.has(offer.bundle));
        if (!this.#demands.get(bundle).every(isMet)) this.#hopeless.add(bundle);
      }
    }
  }
}
