// What is a world beside OLM? One namespace with its own catalogs and Subscriptions, and what OLM and we make of it. Bundles and
// Subscriptions are in the notation of OLM's cases (test/resolve/olm-cases/notation.ts).

import { isList, isObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { BundleLine, SubscriptionLine } from "../../resolve/olm-cases/notation.ts";
import { fileBasedCatalog } from "../../resolve/olm-cases/world.ts";
import { withManifests } from "./bundle-manifests.ts";

/** The group and version of Subscriptions and CatalogSources. */
export const OLM_CORE = "operators.coreos.com/v1alpha1";

/** A catalog: bundles in the notation, or the documents of a file-based catalog. */
export interface Stock {
  readonly priority?: number;
  /** False: nothing answers at the address of the catalog. */
  readonly isServed?: boolean;
  readonly bundles?: readonly BundleLine[];
  readonly documents?: readonly JsonObject[];
}

/** Catalogs by name. */
export type Stocks = Readonly<Record<string, Stock>>;

/** A Subscription; a text is `package/channel` of the first catalog. `from` is the name of a catalog of the world. */
export type Wanted = string | SubscriptionLine;

export interface World {
  /** The namespace. Worlds share no CRDs and no packages, unless they want to: it is part of the names of both. */
  readonly name: string;
  readonly says: string;
  /** Its packages have the names that they have elsewhere, too. */
  readonly hasPublicNames?: boolean;
  readonly catalogs: Stocks;
  readonly subscriptions: readonly Wanted[];
  /** What OLM has carried out before; what is left out was the same. */
  readonly before?: { readonly catalogs?: Stocks; readonly subscriptions?: readonly Wanted[] };
  /** Other objects of the namespace that are there when the question is asked. */
  readonly objects?: readonly JsonObject[];
  /** The specs of its OperatorGroups; by default there is one, and only its own namespace is a target. */
  readonly groups?: readonly JsonObject[];
  /** What OLM ends with. */
  readonly olm: Ending;
  /** Packages that are held back, says the advice; OLM does not say it. */
  readonly heldBack?: readonly string[];
  /** What is advised instead. */
  readonly ours?: Difference;
}

/** How a namespace ends, without the prefix of the names. What is left out is empty. */
export interface Ending {
  /** The operators that run, by the names of their ClusterServiceVersions. */
  readonly operators: readonly string[];
  /** Subscriptions without what they ask for, by name. With OLM it is every Subscription of the namespace, or none. */
  readonly refused?: readonly string[];
  /** What an InstallPlan would install that waits for approval. */
  readonly waiting?: readonly string[];
  /** What was installed and does not run, `name: phase`. */
  readonly broken?: readonly string[];
}

export interface Difference extends Ending {
  /** The first column of the row of docs/compatibility.md that says so. */
  readonly differs: string;
}

/** What a package, or a bundle, has in front of its name in a world. */
export function prefixOf({ name, hasPublicNames = false }: Pick<World, "name" | "hasPublicNames">): string {
  return hasPublicNames ? "" : `${name}-`;
}

/** What is served for a catalog of a world. */
export function catalogDocuments(world: World, { bundles = [], documents = [] }: Stock): readonly JsonObject[] {
  const own = fileBasedCatalog(bundles.map((line) => inOwnNames(line, prefixOf(world))));
  const all = [...own, ...documents].map((document) => withOwn(document, world));
  return all.map((document) => (document.schema === "olm.bundle" ? withManifests(document) : document));
}

/** A bundle whose package has a prefix; so have all packages and bundles that it names. */
function inOwnNames(line: BundleLine, prefix: string): BundleLine {
  const { bundle, of, replaces, skips, needs } = line;
  const named = (name: string): string => `${prefix}${name}`;
  return {
    ...line,
    bundle: named(bundle),
    ...(of !== undefined && { of: typeof of === "string" ? named(of) : of.map(named) }),
    ...(replaces !== undefined && { replaces: named(replaces) }),
    ...(skips !== undefined && { skips: skips.map(named) }),
    ...(needs !== undefined && {
      needs: [needs].flat().map((need) => (`${need}`.includes(" ") ? named(`${need}`) : need)),
    }),
  };
}

/** A value with the groups of its APIs, and the packages of its constraints, made those of a world; a group with a dot stays. */
function withOwn<Value extends Json>(value: Value, world: World, isConstraint = false): Value {
  if (isList(value)) return value.map((item) => withOwn(item, world, isConstraint)) as unknown as Value;
  if (!isObject(value)) return value;
  const isInside = isConstraint || value.type === "olm.constraint";
  const entries = Object.entries(value).map(([key, item]) => {
    if (key === "group" && typeof item === "string" && !item.includes("."))
      return [key, `${item}.${world.name}.example.com`];
    if (key === "packageName" && isInside) return [key, `${prefixOf(world)}${item}`];
    return [key, withOwn(item, world, isInside)];
  });
  return Object.fromEntries(entries) as Value;
}

/** The Subscriptions of a world. */
export function subscriptionsOf(world: World, wanted: readonly Wanted[]): readonly JsonObject[] {
  const [first = ""] = Object.keys(world.catalogs);
  const prefix = prefixOf(world);
  return wanted.map((line) => {
    const { of, name, from = first, start, approval, priority } = typeof line === "string" ? { of: line } : line;
    const [owner = "", channel] = of.split("/");
    return {
      apiVersion: OLM_CORE,
      kind: "Subscription",
      metadata: {
        ...{ namespace: world.name, name: name ?? owner },
        ...(priority !== undefined && { annotations: { "plimsoll.dev/priority": `${priority}` } }),
      },
      spec: {
        ...{ name: `${prefix}${owner}`, source: from, sourceNamespace: world.name },
        ...(channel !== undefined && { channel }),
        ...(start !== undefined && { startingCSV: `${prefix}${start}` }),
        installPlanApproval: approval ?? "Automatic",
      },
    };
  });
}
