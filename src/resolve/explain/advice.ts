// What should the user do? For each change of a fix, the data its sentence needs; and what must be read or repaired
// before anything can be tried.

import type { Correction } from "../../constraint/constraint.ts";
import { platformOf } from "../../constraint/version-rule.ts";
import type { Gvk } from "../../model/catalog.ts";
import { isObject, own } from "../../model/json.ts";
import { type CatalogName, numbersOf, type Problem, type Request } from "../../model/problem.ts";
import { statedVersion } from "../../rule/platform-version.ts";
import { type Declaration, declaredProperty } from "../../rule/shape/lift.ts";
import { parseClusterVersion } from "../../semver/tolerant.ts";
import { printVersion } from "../../semver/version.ts";
import type { NamedRequest } from "../prepare/problem-inputs.ts";
import type { Fix } from "../resolution.ts";
import { type Change, correctionsFor } from "../what-if.ts";
import type { Facts } from "./fact.ts";

/** One piece of advice: a change, or what must be read first. */
export type Advice =
  /** Subscribe to it, so that it can be updated. */
  | { readonly kind: "ask"; readonly package: string }
  /** `isLeftAlone`: the operator then stays, since no other request claims it. */
  | { readonly kind: "drop"; readonly package: string; readonly isLeftAlone: boolean }
  /** Request the package differently: another range, as written, and another channel or catalog, if they differ. */
  | Readonly<{
      kind: "instead";
      package: string;
      range?: string | undefined;
      channel?: string | undefined;
      catalog?: CatalogName | undefined;
      /** The request names a channel now. */
      hadChannel: boolean;
    }>
  | { readonly kind: "meant"; readonly package: string; readonly request: NamedRequest }
  | { readonly kind: "elsewhere"; readonly package: string; readonly namespace: string }
  /** The first few corrections, and the number of further ones. */
  | Readonly<{ kind: "correct"; bundle: string; corrections: readonly Correction[]; more: number }>
  | { readonly kind: "hold" | "remove"; readonly package: string; readonly version?: string | undefined }
  | { readonly kind: "release"; readonly package: string; readonly flag: "hold" | "remove" }
  | { readonly kind: "approve"; readonly package: string; readonly isUpdate: boolean }
  /** `type` is that of its property: `kubernetes.version`; `isKnown`: the cluster's current version is known. */
  | Readonly<{ kind: "cluster-version"; type: string; version: string; isLeast: boolean; isKnown: boolean }>
  | { readonly kind: "declare-api"; readonly gvk: Gvk }
  | { readonly kind: "declare-label"; readonly label: string }
  /** The value as canonical JSON. */
  | { readonly kind: "declare"; readonly type: string; readonly value: string }
  | { readonly kind: "without-constraint"; readonly number: number; readonly message?: string | undefined }
  | { readonly kind: "compound-constraints" | "partly" }
  | { readonly kind: "ignore-unavailable"; readonly catalogs: readonly string[] }
  | { readonly kind: "limit"; readonly limit: "maxConflicts" | "celCostLimit" }
  /** Let a ClusterExtension move to any version (upgradeConstraintPolicy: SelfCertified). */
  | { readonly kind: "self-certify"; readonly extension: string }
  /** A catalog that could not be read, whose content was not given, or that only a request mentions. */
  | Readonly<{ kind: "give-catalog"; why: "unreadable" | "not-given" | "unnamed"; name: string; path: string }>
  /** A catalog of which parts were left out. */
  | { readonly kind: "repair-catalog"; readonly catalog: string; readonly help?: string | undefined };

/** Number of corrections of a bundle that are reported. */
const MAX_CORRECTIONS = 3;

/** Changes to a problem as a fix; `because` are the causes that appear only after the first of them. */
export function fixOf(changes: readonly Change[], problem: Problem, because?: Facts): Fix {
  const advice = changes.map((change) => adviceOn(change, problem));
  return {
    namespace: problem.namespace,
    changes,
    advice,
    ...(because !== undefined && because.facts.length > 0 && { because }),
  };
}

/** Advice that must be followed before anything can be tried. */
export function fixWithoutChange(advice: Advice, { namespace }: Problem): Fix {
  return { namespace, changes: [], advice: [advice] };
}

function adviceOn(change: Change, problem: Problem): Advice {
  switch (change.kind) {
    case "ask":
      return { kind: "ask", package: change.request.package };
    case "drop":
      return { kind: "drop", package: change.package, isLeftAlone: isLeftAlone(change.package, problem) };
    case "instead":
      return whatIsOther(change.request, problem);
    case "correct": {
      const all = correctionsFor(problem, change)?.corrections ?? [];
      const corrections = all.slice(0, MAX_CORRECTIONS);
      return { kind: "correct", bundle: change.bundle, corrections, more: all.length - corrections.length };
    }
    case "elsewhere":
      return { kind: "elsewhere", package: change.request.package, namespace: change.namespace };
    case "hold":
    case "remove": {
      const { kind, package: owner } = change;
      const version = problem.installed.find((one) => one.package === owner)?.version;
      return { kind, package: owner, ...(version !== undefined && { version: printVersion(version) }) };
    }
    case "approve": {
      const { package: owner } = change;
      const isUpdate = problem.requests.some((one) => one.package === owner && one.installed !== undefined);
      return { kind: "approve", package: owner, isUpdate };
    }
    case "declare":
      return declaration(change, problem);
    case "without-constraint":
      return { ...change, ...messageOf(change.number, problem) };
    case "ignore-unavailable":
      return { kind: "ignore-unavailable", catalogs: problem.unavailable.map(({ name }) => name) };
    case "limit":
      return { kind: "limit", limit: change.limit };
    case "meant":
    case "release":
    case "compound-constraints":
    case "partly":
      return change;
  }
}

/** Does the operator of the package stay once these requests are gone? True if no other request claims it. */
function isLeftAlone(owner: string, { requests }: Problem): boolean {
  const running = requests.flatMap((one) => (one.package === owner ? (one.installed ?? []) : []));
  const isClaimed = (name: string): boolean => requests.some((one) => one.package !== owner && one.installed === name);
  return running.length > 0 && !running.some(isClaimed);
}

/** The fields in which a request differs from the present one. */
function whatIsOther({ package: owner, catalog, range, channel }: NamedRequest, { requests }: Problem): Advice {
  const before = requests.filter((request) => request.package === owner);
  const channelOf = ({ channel: one, extension }: Request): string | undefined => one ?? extension?.channels.join(" ");
  const isOtherChannel = channel !== undefined && before.some((one) => channelOf(one) !== channel);
  const isOtherCatalog =
    catalog !== undefined &&
    before.some(
      ({ catalog: one }) =>
        one?.name !== catalog.name || (catalog.namespace !== undefined && one.namespace !== catalog.namespace),
    );
  return {
    kind: "instead",
    package: owner,
    ...(range !== undefined && { range: range.text }),
    ...(isOtherChannel && { channel }),
    ...(isOtherCatalog && { catalog }),
    hadChannel: before.some((one) => (channelOf(one) ?? "") !== ""),
  };
}

function declaration(change: Declaration, { node }: Problem): Advice {
  const { type, value } = declaredProperty(change);
  if (platformOf(type) !== undefined) {
    const isKnown = typeof parseClusterVersion(statedVersion(node, type) ?? "") === "object";
    return { kind: "cluster-version", type, version: String(value), isLeast: change.isLeast === true, isKnown };
  }
  if (type === "olm.gvk" && isObject(value)) {
    const [group, version, kind] = [own(value, "group"), own(value, "version"), own(value, "kind")];
    return { kind: "declare-api", gvk: { group: String(group), version: String(version), kind: String(kind) } };
  }
  if (type === "olm.label" && isObject(value)) return { kind: "declare-label", label: String(own(value, "label")) };
  return { kind: "declare", type, value: change.value };
}

function messageOf(number: number, { runtime }: Problem): { readonly message?: string } {
  const value = runtime.entries[numbersOf(runtime).indexOf(number)]?.property.value;
  const message = isObject(value) ? (own(value, "message") ?? own(value, "failureMessage")) : undefined;
  return typeof message === "string" ? { message } : {};
}
