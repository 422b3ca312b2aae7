// Which words of the command line make a change?

import type { Property } from "../../model/catalog.ts";
import { canonicalText } from "../../model/json.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import type { Change } from "../../resolve/what-if.ts";
import { declaredProperty } from "../../rule/shape/lift.ts";

/** The flags that try a change; none where a flag has to be left out for it. */
export function flagsOf(change: Change): readonly string[] {
  switch (change.kind) {
    case "drop":
    case "hold":
    case "approve":
    case "remove":
      return [`--${change.kind}`, change.package];
    case "ask":
      return ["--add", printNamedRequest(change.wish)];
    case "instead":
      return ["--instead", printNamedRequest(change.wish)];
    case "elsewhere":
      return ["-n", change.namespace, "--add", printNamedRequest(change.wish)];
    case "meant":
      return ["--drop", change.package, "--add", printNamedRequest(change.wish)];
    case "correct":
    case "release":
    case "partly":
      return [];
    case "declare":
      return propertyFlag(declaredProperty(change));
    case "without-constraint":
      return ["--without-constraint", String(change.number)];
    case "compound-constraints":
      return ["--feature-gates", "CompoundConstraintsV1Alpha1=true"];
    case "ignore-unavailable":
      return ["--ignore-unavailable"];
    case "limit":
      return [change.limit === "maxConflicts" ? "--max-conflicts" : "--cel-cost-limit", String(change.value)];
  }
}

function propertyFlag({ type, value }: Property): readonly string[] {
  const flag = VERSION_FLAGS.get(type);
  if (flag !== undefined && typeof value === "string") return [flag, value];
  // Behind a colon, an equals sign would announce JSON.
  const isPlain = typeof value === "string" && !type.endsWith(":");
  return ["--property", isPlain ? `${type}=${value}` : `${type}:=${canonicalText(value)}`];
}

/** The flag for the version of a platform, by the type of its property. */
const VERSION_FLAGS: ReadonlyMap<string, string> = new Map([
  ["kubernetes.version", "--kube-version"],
  ["openshift.version", "--openshift-version"],
]);

/** The flag that gives the version of a platform. */
export function versionFlag(type: string): string {
  return VERSION_FLAGS.get(type) ?? "--property";
}
