// Which words of the command line make a change?

import type { Property } from "../../model/catalog.ts";
import { canonicalText } from "../../model/json.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import type { Change } from "../../resolve/what-if.ts";
import { declaredProperty } from "../../rule/shape/lift.ts";
import { byKind } from "../kit/by-kind.ts";

/** The flags that try a change; none if a flag has to be left out for it. */
export const flagsOf: (change: Change) => readonly string[] = byKind({
  drop: (change) => [`--${change.kind}`, change.package],
  hold: (change) => [`--${change.kind}`, change.package],
  approve: (change) => [`--${change.kind}`, change.package],
  remove: (change) => [`--${change.kind}`, change.package],
  ask: (change) => ["--add", printNamedRequest(change.request)],
  instead: (change) => ["--instead", printNamedRequest(change.request)],
  elsewhere: (change) => ["-n", change.namespace, "--add", printNamedRequest(change.request)],
  meant: (change) => ["--drop", change.package, "--add", printNamedRequest(change.request)],
  correct: () => [],
  release: () => [],
  partly: () => [],
  declare: (change) => propertyFlag(declaredProperty(change)),
  "without-constraint": (change) => ["--without-constraint", String(change.number)],
  "compound-constraints": () => ["--feature-gates", "CompoundConstraintsV1Alpha1=true"],
  "ignore-unavailable": () => ["--ignore-unavailable"],
  limit: (change) => [change.limit === "maxConflicts" ? "--max-conflicts" : "--cel-cost-limit", String(change.value)],
});

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

export function versionFlag(type: string): string {
  return VERSION_FLAGS.get(type) ?? "--property";
}
