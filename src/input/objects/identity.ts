// What identifies an object? Other objects refer to it by namespace and name, so missing and invalid ones are
// reported.

import { type FindingDetail, finding } from "../../model/finding.ts";
import { inside, type Path } from "../../model/place.ts";
import { textOf } from "./fields.ts";
import type { GivenObject, Naming, ObjectKind } from "./object-kind.ts";
import { warn } from "./probable-mistakes.ts";

/** Why the metadata of an object makes it unusable, and where. */
export interface IdentityFault {
  readonly path: Path;
  readonly detail: FindingDetail;
}

/** What is wrong with a name and namespace; undefined if the object can be used. */
export function identityFault(
  kind: ObjectKind<unknown>,
  name: string,
  stated: string | undefined,
): IdentityFault | undefined {
  if (name.includes("/")) return slashed("name", name);
  if (stated?.includes("/")) return slashed("namespace", stated);
  if (stated !== undefined || kind.missingNamespace !== "rejected") return undefined;
  const help = `the namespace of an ${kind.kind} is the name of its cluster`;
  return { path: [], detail: { message: "metadata.namespace is missing", help } };
}

/** Kubernetes does not allow it, but NAMESPACE/NAME is a common notation. */
function slashed(field: string, text: string): IdentityFault {
  return { path: [field], detail: { message: `the ${field} ${JSON.stringify(text)} has a slash in it` } };
}

const MAX_LENGTH: Readonly<Record<Naming, number>> = { "DNS label": 63, "DNS subdomain": 253 };
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** Does Kubernetes allow a name? */
export function isName(name: string, naming: Naming): boolean {
  return name.length <= MAX_LENGTH[naming] && (naming === "DNS label" ? LABEL : SUBDOMAIN).test(name);
}

/** Reports a name that Kubernetes would reject, and a namespace that was not given. */
export function warnIdentity(given: GivenObject, kind: ObjectKind<unknown>, isNamespaceGiven: boolean): void {
  if (kind.naming !== undefined) {
    warnName(given, "name", given.name, kind.naming);
    if (kind.namespaced) warnName(given, "namespace", given.namespace, "DNS label");
  }
  if (kind.missingNamespace !== "reported" || isNamespaceGiven || textOf(given.metadata, "namespace") !== undefined)
    return;
  given.report(
    finding("PL012", inside(given.place, "metadata"), {
      message: `the ${kind.kind} ${JSON.stringify(given.name)} does not state its namespace`,
      help: `it is taken as one of the namespace ${given.namespace}; write metadata.namespace`,
    }),
  );
}

function warnName(given: GivenObject, field: "name" | "namespace", name: string, naming: Naming): void {
  if (isName(name, naming)) return;
  const longest = MAX_LENGTH[naming];
  const dots = naming === "DNS label" ? "" : ", dots";
  const wrong = name.length > longest ? `has ${name.length} characters, more than ${longest}` : `is not a ${naming}`;
  warn(
    given,
    ["metadata", field],
    `${JSON.stringify(name)} ${wrong}`,
    `Kubernetes refuses it: only lower-case letters, digits${dots} and inner hyphens, at most ${longest}`,
  );
}
