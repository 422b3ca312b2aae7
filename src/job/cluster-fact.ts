// Can a property be a fact of the cluster?

import { isConstraintType } from "../constraint/read-property.ts";
import { propertyFault } from "../input/catalog/known-property.ts";
import type { Json } from "../model/json.ts";
import { parseClusterVersion } from "../semver/tolerant.ts";

/** What is wrong with a property of the cluster. */
export function factFault(type: string, value: Json): string | undefined {
  if (isConstraintType(type)) return "this is a constraint, not a fact of the cluster; give it as a runtime constraint";
  return type === "kubernetes.version" || type === "openshift.version"
    ? versionFault(value)
    : propertyFault(type, value);
}

/** What is wrong with a version of the cluster. */
export function versionFault(value: Json): string | undefined {
  if (typeof value !== "string") return "a version is text, such as 1.31";
  const version = parseClusterVersion(value);
  return typeof version === "string" ? version : undefined;
}

/** A version as clusters report it, as a property has it: without a leading v. */
export function plainVersion(text: string): string {
  return text.trim().replace(/^v/, "");
}
