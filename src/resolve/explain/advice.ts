// What is to be done? For each change of a fix, what has to be known of the problem to put it in words; and what has to be
// read or repaired before anything can be tried.

import type { Correction } from "../../constraint/constraint.ts";
import { platformOf } from "../../constraint/version-rule.ts";
import type { Gvk } from "../../model/catalog.ts";
import { isObject, own } from "../../model/json.ts";
import { type CatalogName, numbersOf, type Problem } from "../../model/problem.ts";
import { statedVersion } from "../../rule/platform-version.ts";
import { type Declaration, declaredProperty } from "../../rule/shape/lift.ts";
import { parseClusterVersion } from "../../semver/tolerant.ts";
import { printVersion } from "../../semver/version.ts";
import type { NamedRequest } from "../prepare/given.ts";
import type { Fix } from "../resolution.ts";
import { type Change, correctionsFor } from "../what-if.ts";
import type { Facts } from "./fact.ts";

/** A piece of advice: a change, or what has to be read first. */
export type Advice =
  /** Subscribe to it, so that it can be updated. */
  | { readonly kind: "ask"; readonly package: string }
  | {
      readonly kind: "drop";
      readonly package: string;
      /** Its operator then stays: no other request keeps it up to date. */
      readonly isLeftAlone: boolean;
    }
  /** Ask for the package otherwise. */
  | {
      readonly kind: "instead";
      readonly package: string;
      /** The range, as it is written. */
      readonly range?: string | undefined;
      /** Only where it is another than before. */
      readonly channel?: string | undefined;
      readonly catalog?: CatalogName | undefined;
      /** A channel was asked for before. */
      readonly hadChannel: boolean;
    }
  | { readonly kind: "meant"; readonly package: string; readonly wish: NamedRequest }
  | { readonly kind: "elsewhere"; readonly package: string; readonly namespace: string }
  | {
      readonly kind: "correct";
      readonly bundle: string;
      /** A few of them. */
      readonly corrections: readonly Correction[];
      /** So many more there are. */
      readonly more: number;
    }
  | { readonly kind: "hold" | "remove"; readonly package: string; readonly version?: string | undefined }
  | { readonly kind: "release"; readonly package: string; readonly flag: "hold" | "remove" }
  | { readonly kind: "approve"; readonly package: string; readonly isUpdate: boolean }
  | {
      readonly kind: "cluster-version";
      /** The type of its property: `kubernetes.version`. */
      readonly type: string;
      readonly version: string;
      readonly isLeast: boolean;
      /** It is known which version the cluster has now. */
      readonly isKnown: boolean;
    }
  | { readonly kind: "declare-api"; readonly gvk: Gvk }
  | { readonly kind: "declare-label"; readonly label: string }
  /** The value as canonical JSON. */
  | { readonly kind: "declare"; readonly type: string; readonly value: string }
  | { readonly kind: "without-constraint"; readonly number: number; readonly message?: string | undefined }
  | { readonly kind: "compound-constraints" | "partly" }
  | { readonly kind: "ignore-unavailable"; readonly catalogs: readonly string[] }
  | { readonly kind: "limit"; readonly limit: "maxConflicts" | "celCostLimit" }
  /** A catalog that could not be read, whose content was not given, or of which only a request says that it exists. */
  | {
      readonly kind: "give-catalog";
      readonly why: "unreadable" | "not-given" | "unnamed";
      readonly name: string;
      readonly path: string;
    }
  /** A catalog of which something was left out. */
  | { readonly kind: "mend-catalog"; readonly catalog: string; readonly help?: string | undefined };

/** So many corrections of a bundle are told. */
const MAX_CORRECTIONS = 3;

/** Changes to a problem as a fix; `because` are the causes that only the first of them uncover. */
export function fixOf(changes: readonly Change[], problem: Problem, because?: Facts): Fix {
  const advice = changes.map((change) => adviceOn(change, problem));
  return {
    namespace: problem.namespace,
    changes,
    advice,
    ...(because !== undefined && because.facts.length > 0 && { because }),
  };
}

/** What has to be done before anything can be tried. */
export function fixWithoutChange(advice: Advice, { namespace }: Problem): Fix {
  return { namespace, changes: [], advice: [advice] };
}

function adviceOn(change: Change, problem: Problem): Advice {
  switch (change.kind) {
    case "ask":
      return { kind: "ask", package: change.wish.package };
    case "drop":
      return { kind: "drop", package: change.package, isLeftAlone: isLeftAlone(change.package, problem) };
    case "instead":
      return whatIsOther(change.wish, problem);
    case "correct": {
      const all = correctionsFor(problem, change)?.corrections ?? [];
      const corrections = all.slice(0, MAX_CORRECTIONS);
      return { kind: "correct", bundle: change.bundle, corrections, more: all.length - corrections.length };
    }
    case "elsewhere":
      return { kind: "elsewhere", package: change.wish.package, namespace: change.namespace };
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

/** Does the operator of the package stay as it is once these requests are gone? No other request keeps it up to date. */
function isLeftAlone(owner: string, { requests }: Problem): boolean {
  const running = requests.flatMap((one) => (one.package === owner ? (one.installed ?? []) : []));
  const isClaimed = (name: string): boolean => requests.some((one) => one.package !== owner && one.installed === name);
  return running.length > 0 && !running.some(isClaimed);
}

/** What of a wish differs from what is asked for now. */
function whatIsOther({ package: owner, catalog, range, channel }: NamedRequest, { requests }: Problem): Advice {
  const before = requests.filter((request) => request.package === owner);
  const isOtherChannel = channel !== undefined && before.some((one) => one.channel !== channel);
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
    hadChannel: before.some((one) => one.channel !== undefined),
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
