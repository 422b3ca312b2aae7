// Which request claims which installed operator? A Subscription names it in its status; without a status, it adopts
// an unclaimed operator if that is unambiguous.

import { type InstalledOperator, isLeaving } from "../../model/installed-operator.ts";
import { compareText, given } from "../../model/json.ts";
import { textUnder } from "../../model/labels.ts";
import type { Installed, Request } from "../../model/problem.ts";
import { sortedEntries } from "../../model/sorted.ts";
import { GENERATED_ANNOTATION, type Subscription } from "../../model/subscription.ts";
import { rangeFrom } from "../../semver/blang-range.ts";
import { compareWithBuild } from "../../semver/version.ts";
import type { NamedRequest } from "./problem-inputs.ts";

/** The operators of a namespace, as cluster objects and as resolution input; both by name. */
export interface Running {
  readonly operators: readonly InstalledOperator[];
  readonly installed: readonly Installed[];
}

/**
 * The requests of a namespace, in order. A Subscription whose operator is gone counts as new: its startingCSV applies
 * again, as in OLM.
 */
export function requestsOf(
  namespace: string,
  subscriptions: readonly Subscription[],
  named: readonly NamedRequest[],
  running: Running,
  adopts: boolean,
): readonly Request[] {
  const names = new Set(running.installed.map(({ name }) => name));
  const adopted = adopts ? adoptions(subscriptions, running) : new Map<Subscription, string>();
  const requests = subscriptions.map((subscription): Request => {
    const { name, priority, package: owner, channel, startingCSV, installedCSV, approval, place } = subscription;
    const catalog = { name: subscription.source, namespace: subscription.sourceNamespace };
    const asked = { package: owner, catalog, channel, startingCSV };
    const installed = installedCSV !== undefined && names.has(installedCSV) ? installedCSV : adopted.get(subscription);
    const isGenerated = textUnder(subscription.annotations, GENERATED_ANNOTATION) !== undefined || undefined;
    return given({ id: `${namespace}/${name}`, name, priority, ...asked, installed, approval, isGenerated, place });
  });
  const ids = new Set(requests.map(({ id }) => id));
  for (const one of distinct(named)) {
    const request = namedRequest(one, namespace, ids, newestOf(one.package, running));
    ids.add(request.id);
    requests.push(request);
  }
  return requests.sort(compareRequests);
}

/** A request without a Subscription; it claims an operator if one is named. */
export function namedRequest(
  { package: owner, catalog, range, channel }: NamedRequest,
  namespace: string,
  taken: ReadonlySet<string>,
  claimed: string | undefined,
): Request {
  const asked = { package: owner, catalog, channel, range: range && rangeFrom(range), installed: claimed };
  return given({
    id: freeId(`${namespace}/${owner}`, taken),
    name: owner,
    priority: 0,
    ...asked,
    approval: "Automatic",
  });
}

/** By priority, higher first; then by id. */
export function compareRequests(a: Request, b: Request): number {
  return b.priority - a.priority || compareText(a.id, b.id);
}

/** Distinct requests, in an order that does not depend on the order of the input. */
export function distinct(named: readonly NamedRequest[]): readonly NamedRequest[] {
  const byText = new Map<string, NamedRequest>();
  for (const one of named) {
    const { catalog, range, channel } = one;
    const parts = [one.package, catalog?.namespace, catalog?.name, range?.text, channel];
    byText.set(JSON.stringify(parts.map((part) => part ?? "")), one);
  }
  return sortedEntries(byText).map(([, one]) => one);
}

/** Kubernetes names never contain a `#`. */
export function freeId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let count = 2; taken.has(id); count++) id = `${wanted}#${count}`;
  return id;
}

/** The operator of a package that a named request claims: the newest, those that stay first. */
function newestOf(owner: string, { operators, installed }: Running): string | undefined {
  const leaving = leavingOnes(operators);
  const own = installed.filter((one) => one.package === owner);
  const staying = own.filter(({ name }) => !leaving.has(name));
  return newestOperator(staying.length > 0 ? staying : own)?.name;
}

/** The newest of some operators. */
export function newestOperator(operators: readonly Installed[]): Installed | undefined {
  let newest: Installed | undefined;
  for (const one of operators) if (newest === undefined || isNewer(one, newest)) newest = one;
  return newest;
}

function isNewer(one: Installed, other: Installed): boolean {
  if (one.version === undefined || other.version === undefined) return one.version !== undefined;
  return compareWithBuild(one.version, other.version) > 0;
}

/** For each Subscription that adopts an operator, the name of that operator. */
function adoptions(
  subscriptions: readonly Subscription[],
  { operators, installed }: Running,
): ReadonlyMap<Subscription, string> {
  const claimed = new Set(subscriptions.map(({ installedCSV }) => installedCSV));
  const leaving = leavingOnes(operators);
  const free = onlyOneByPackage(installed.filter(({ name }) => !claimed.has(name) && !leaving.has(name)));
  const waiting = onlyOneByPackage(subscriptions.filter(({ installedCSV }) => installedCSV === undefined));
  const adopted = new Map<Subscription, string>();
  for (const [owner, operator] of free) {
    const subscription = waiting.get(owner);
    if (operator !== "several" && subscription !== undefined && subscription !== "several")
      adopted.set(subscription, operator.name);
  }
  return adopted;
}

function onlyOneByPackage<Item extends { readonly package: string | undefined }>(
  items: readonly Item[],
): ReadonlyMap<string, Item | "several"> {
  const found = new Map<string, Item | "several">();
  for (const item of items) {
    if (item.package !== undefined) found.set(item.package, found.has(item.package) ? "several" : item);
  }
  return found;
}

/** The names of operators that are being replaced or deleted. */
function leavingOnes(operators: readonly InstalledOperator[]): ReadonlySet<string> {
  const leaving = new Set<string>();
  for (const operator of operators) {
    const { name, replaces } = operator;
    if (replaces !== undefined && replaces !== name) leaving.add(replaces);
    if (isLeaving(operator)) leaving.add(name);
  }
  return leaving;
}
