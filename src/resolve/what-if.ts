// What if something were different? Changes that a user could make, and the changed problem. The flags of the command
// line with the same names mean the same; in an ordinary run, prepare/ applies --remove and --hold before the problem exists.

import { type CorrectedProperties, correctedProperties } from "../constraint/correct-constraint.ts";
import type { Bundle, Catalog, Channel, ChannelEntry, Package, Property } from "../model/catalog.ts";
import { sameItems } from "../model/grouped.ts";
import { compareText, given } from "../model/json.ts";
import {
  type CatalogName,
  compareNamespaced,
  type Installed,
  type Neighbour,
  numbersOf,
  type Problem,
  type Request,
  type ResolveOptions,
} from "../model/problem.ts";
import { type Declaration, declaredProperty } from "../rule/shape/lift.ts";
import { rangeFrom, rangeOutline } from "../semver/blang-range.ts";
import { isSameCatalog } from "./catalog-order.ts";
import { catalogWorld } from "./catalog-world.ts";
import { catalogRef } from "./member.ts";
import { compareRequests, namedRequest, newestOperator } from "./prepare/claims.ts";
import { namedExtension, namedTerms } from "./prepare/extension-requests.ts";
import { heldByFlag, isOfPackage } from "./prepare/hold.ts";
import type { NamedRequest } from "./prepare/problem-inputs.ts";
import { SINGLE_FACTS } from "./prepare/runtime-constraints.ts";

/** The request in command-line form. */
export function namedRequestOf({ package: owner, catalog, channel, range, extension }: Request): NamedRequest {
  const source = catalog && catalogRef(catalog);
  const only = extension?.channels.length === 1 ? extension.channels[0] : undefined;
  return given({ package: owner, catalog: source, channel: channel ?? only, range: range && rangeOutline(range) });
}

/** A change that a user could make. */
export type Change =
  /** One more request: `--add [CATALOG/]PACKAGE[@RANGE][:CHANNEL]`. It claims the installed operator of the package. */
  | { readonly kind: "ask"; readonly request: NamedRequest }
  /** No requests for the package: `--drop PACKAGE`. Its installed operator stays. */
  | { readonly kind: "drop"; readonly package: string }
  /** Requests for the package are replaced by this one: `--instead [CATALOG/]PACKAGE[@RANGE][:CHANNEL]`. */
  | { readonly kind: "instead"; readonly request: NamedRequest }
  /** Another package is requested instead, whose name was meant: `--drop PACKAGE --add [CATALOG/]PACKAGE…`. */
  | { readonly kind: "meant"; readonly package: string; readonly request: NamedRequest }
  /** It is requested in another namespace, and nothing changes here: `-n NAMESPACE --add [CATALOG/]PACKAGE…`. */
  | { readonly kind: "elsewhere"; readonly namespace: string; readonly request: NamedRequest }
  /** The author of a bundle corrects its constraints; no flag does that. */
  | { readonly kind: "correct"; readonly catalog: CatalogName; readonly package: string; readonly bundle: string }
  /** It stays, is removed, or its Manual requests count as approved: `--hold`, `--remove`, `--approve PACKAGE`. */
  | { readonly kind: "hold" | "remove" | "approve"; readonly package: string }
  /** A hold or removal is taken back: the flag `--hold` or `--remove` is left out. */
  | { readonly kind: "release"; readonly package: string; readonly flag: "hold" | "remove" }
  | Declaration
  /** One of the administrator's constraints is ignored: `--without-constraint NUMBER`, the index in the file, from 1. */
  | { readonly kind: "without-constraint"; readonly number: number }
  /** `--ignore-unavailable`. */
  | { readonly kind: "ignore-unavailable" }
  /** `--feature-gates CompoundConstraintsV1Alpha1=true`; `--all-or-nothing` is left out. */
  | { readonly kind: "compound-constraints" | "partly" }
  /** A limit is raised: `--max-conflicts`, `--cel-cost-limit`. */
  | { readonly kind: "limit"; readonly limit: "maxConflicts" | "celCostLimit"; readonly value: number };

/** The problem with a change; the same object if the change has no effect. */
export function changed(problem: Problem, change: Change): Problem {
  switch (change.kind) {
    case "ask":
      return withRequest(problem, change.request);
    case "drop":
      return withRequests(problem, (request) => (request.package === change.package ? [] : [request]));
    case "instead":
      return withRequests(problem, (request) =>
        request.package === change.request.package ? [instead(request, change.request)] : [request],
      );
    case "meant":
      return withRequest(changed(problem, { kind: "drop", package: change.package }), change.request);
    case "elsewhere": {
      const there = problem.neighbours?.find(({ namespace }) => namespace === change.namespace);
      return there === undefined ? problem : withRequest(problemIn(problem, there), change.request);
    }
    case "correct":
      return corrected(problem, change);
    case "approve":
      return withRequests(problem, (request) =>
        request.package === change.package && request.approval === "Manual"
          ? [{ ...request, approval: "Automatic", isApproved: true }]
          : [request],
      );
    case "hold":
      return withInstalled(problem, (one) => heldByFlag(one, [change.package], problem.requests));
    case "release":
      return change.flag === "hold" ? released(problem, change.package) : restored(problem, change.package);
    case "remove":
      return withoutPackage(problem, change.package);
    case "declare":
      return declared(problem, declaredProperty(change));
    case "without-constraint":
      return withoutEntries(problem, [change.number]);
    case "compound-constraints":
      return withOptions(problem, { compoundConstraints: true });
    case "ignore-unavailable":
      return withOptions(problem, { ignoreUnavailable: true });
    case "partly":
      return withOptions(problem, { allOrNothing: false });
    case "limit":
      return withOptions(problem, { [change.limit]: change.value });
  }
}

/** The order of application: as on the command line, where removals and holds come before the problem is built. */
const ORDER: readonly Change["kind"][] = [
  "correct",
  "elsewhere",
  "without-constraint",
  "release",
  "partly",
  "remove",
  "hold",
  "declare",
  "compound-constraints",
  "ignore-unavailable",
  "limit",
  "ask",
  "meant",
  "instead",
  "drop",
  "approve",
];

/** The problem with several changes, in any order. */
export function changedByAll(problem: Problem, changes: readonly Change[]): Problem {
  return changes.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)).reduce(changed, problem);
}

/** The problem of another namespace, without removals and holds. */
export function problemIn(problem: Problem, there: Neighbour): Problem {
  const operators = [...problem.installed, ...problem.elsewhere, ...problem.gone];
  const elsewhere = operators.filter(({ namespace }) => namespace !== there.namespace).sort(compareNamespaced);
  return { ...problem, ...there, elsewhere, removed: [], gone: [] };
}

/** The corrections of a bundle's constraints and their effect; undefined if that is uncertain. */
export function correctionsFor(
  problem: Problem,
  { catalog, package: owner, bundle: name }: Correcting,
): (CorrectedProperties & { readonly catalog: Catalog; readonly bundle: Bundle }) | undefined {
  const from = problem.catalogs.find((one) => isSameCatalog(one, catalog));
  const bundle = from?.packages.get(owner)?.bundles.get(name);
  const found = bundle && correctedProperties(bundle.properties, catalogWorld(problem).reader);
  return from && bundle && found && { ...found, catalog: from, bundle };
}

type Correcting = Extract<Change, { readonly kind: "correct" }>;

function corrected(problem: Problem, change: Correcting): Problem {
  const found = correctionsFor(problem, change);
  if (found === undefined) return problem;
  const { catalog, bundle, properties } = found;
  const fresh = correctedCatalog(catalog, bundle, properties);
  return { ...problem, catalogs: problem.catalogs.map((one) => (one === catalog ? fresh : one)) };
}

/** One more request. */
function withRequest(problem: Problem, named: NamedRequest): Problem {
  const { requests, installed, namespace } = problem;
  const ids = new Set(requests.map(({ id }) => id));
  const claimed = newestOperator(installed.filter((one) => one.package === named.package));
  const request =
    problem.scope === "cluster"
      ? namedExtension(named, ids, claimed?.name)
      : namedRequest(named, namespace, ids, claimed?.name);
  return { ...problem, requests: [...requests, request].sort(compareRequests) };
}

/** The problem with other requests; the same object if they are equal. A replacement keeps its position. */
function withRequests(problem: Problem, replace: (request: Request) => readonly Request[]): Problem {
  const requests = problem.requests.flatMap(replace);
  return sameItems(requests, problem.requests) ? problem : { ...problem, requests };
}

function withInstalled(problem: Problem, replace: (one: Installed) => Installed): Problem {
  const installed = problem.installed.map(replace);
  return sameItems(installed, problem.installed) ? problem : { ...problem, installed };
}

function withOptions(problem: Problem, options: Partial<ResolveOptions>): Problem {
  return { ...problem, options: { ...problem.options, ...options } };
}

/** The request keeps its identity; its content is replaced. */
function instead(request: Request, named: NamedRequest): Request {
  const { catalog, range, channel } = named;
  const { id, name, priority, package: owner, installed, approval, place, extension } = request;
  const identity = { id, name, priority, package: owner, installed, approval, place };
  if (extension !== undefined)
    return given({ ...identity, range: range && rangeFrom(range), extension: namedTerms(named, extension) });
  const asked = { package: owner, catalog, channel, range: range && rangeFrom(range) };
  return given({ ...identity, ...asked });
}

function released(problem: Problem, owner: string): Problem {
  return withInstalled(problem, (one) =>
    one.hold?.by === "flag" && (one.hold.package === owner || isOfPackage(one, owner, problem.requests))
      ? { ...one, hold: undefined }
      : one,
  );
}

/** Removes a package as `--remove` does, with its requests and operators. */
function withoutPackage(problem: Problem, owner: string): Problem {
  const leaving = new Set(problem.installed.filter((one) => isOfPackage(one, owner, problem.requests)));
  const names = new Set([...leaving].map(({ name }) => name));
  const requests = problem.requests.filter((request) => request.package !== owner);
  return {
    ...problem,
    requests: requests.map((request) => claiming(request, request.installed, (name) => !names.has(name))),
    installed: problem.installed.filter((one) => !leaving.has(one)),
    removed: [...new Set([...problem.removed, owner])].sort(compareText),
    gone: [...problem.gone, ...leaving].sort(compareNamespaced),
  };
}

/** The request, claiming an operator if that is present. */
function claiming(request: Request, name: string | undefined, isThere: (name: string) => boolean): Request {
  const { installed, ...rest } = request;
  if (name !== undefined && isThere(name)) return installed === name ? request : { ...rest, installed: name };
  return installed === undefined ? request : rest;
}

/**
 * Restores the operators that `--remove` removed. Their requests are not part of the problem any more; if the flag
 * itself is left out, they return.
 */
function restored(problem: Problem, owner: string): Problem {
  const removed = problem.removed.filter((other) => other !== owner);
  if (removed.length === problem.removed.length) return problem;
  // An operator whose package is unknown was removed because of a request, which is no longer in the problem either.
  const isBack = (one: Installed): boolean => one.package === owner || removed.length === 0;
  const back = problem.gone.filter(isBack);
  const isHere = ({ namespace }: Installed): boolean => namespace === problem.namespace;
  const [only, ...more] = back.filter((one) => isHere(one) && one.package === owner);
  const isNew = (request: Request): boolean => request.package === owner && request.installed === undefined;
  const requests = problem.requests.map((request) =>
    more.length === 0 && isNew(request) ? claiming(request, only?.name, () => true) : request,
  );
  return {
    ...problem,
    requests,
    installed: [...problem.installed, ...back.filter(isHere)].sort(compareNamespaced),
    elsewhere: [...problem.elsewhere, ...back.filter((one) => !isHere(one))].sort(compareNamespaced),
    removed,
    gone: problem.gone.filter((one) => !isBack(one)),
  };
}

function declared(problem: Problem, property: Property): Problem {
  const isReplaced = ({ type }: Property): boolean => type === property.type && SINGLE_FACTS.has(type);
  const others = problem.node.properties.filter((other) => !isReplaced(other));
  return { ...problem, node: { ...problem.node, properties: [property, ...others] } };
}

function withoutEntries(problem: Problem, numbers: readonly number[]): Problem {
  const { runtime } = problem;
  const before = numbersOf(runtime);
  if (!before.some((number) => numbers.includes(number))) return problem;
  const numbered = runtime.entries.map((entry, index) => ({ ...entry, number: before[index] as number }));
  const entries = numbered.filter(({ number }) => !numbers.includes(number));
  return { ...problem, runtime: { ...runtime, entries } };
}

/** The catalog with the properties of one bundle replaced; the bundle provides and states the same as before. */
function correctedCatalog(catalog: Catalog, bundle: Bundle, properties: readonly Property[]): Catalog {
  const fresh: Bundle = { ...bundle, properties };
  const replaced = (one: Bundle): Bundle => (one === bundle ? fresh : one);
  const lists = (index: ReadonlyMap<string, readonly Bundle[]>): ReadonlyMap<string, readonly Bundle[]> =>
    new Map([...index].map(([key, list]) => [key, list.includes(bundle) ? list.map(replaced) : list]));
  const packages = new Map(
    [...catalog.packages].map(([name, owner]) => [name, name === bundle.package ? withBundle(owner, fresh) : owner]),
  );
  return { ...catalog, packages, providers: lists(catalog.providers), byPropertyType: lists(catalog.byPropertyType) };
}

function withBundle(owner: Package, fresh: Bundle): Package {
  const channels = [...owner.channels].map(([name, channel]): readonly [string, Channel] => {
    const entries = new Map(
      [...channel.entries].map(([key, entry]) => [key, key === fresh.name ? { ...entry, bundle: fresh } : entry]),
    );
    const now = (entry: ChannelEntry): ChannelEntry => entries.get(entry.name) ?? entry;
    return [name, { ...channel, entries, head: now(channel.head), chain: channel.chain.map(now) }];
  });
  const bundles = [...owner.bundles].map(([name, one]) => [name, name === fresh.name ? fresh : one] as const);
  return { ...owner, channels: new Map(channels), bundles: new Map(bundles) };
}
