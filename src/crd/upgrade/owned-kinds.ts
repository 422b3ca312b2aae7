// Which kinds does an operator own although its bundle has no definition of them? Where it has one, check-upgrade.ts checks
// the versions.

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { compareText } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import type { CrdFinding } from "../finding.ts";
import { severityOf } from "../severity.ts";
import type { ApiUser, SeverityChoices } from "./circumstances.ts";

/** A version of a kind that a ClusterServiceVersion says its operator owns. */
export interface OwnedApi extends ApiUser {
  /** The name of its definition: `<plural>.<group>`. */
  readonly crd: string;
  /** Where the ClusterServiceVersion says so. */
  readonly place: Place;
}

/** Findings about kinds that are owned, but that none of the definitions defines. */
export function checkOwned(
  owned: readonly OwnedApi[],
  definitions: readonly CustomResourceDefinition[],
  severities: SeverityChoices,
): readonly CrdFinding[] {
  const severity = severityOf("CRD003", ALONE, severities);
  if (severity === "off") return [];
  const defined = new Set(definitions.map(keyOf));
  const missing = new Map(
    owned
      .filter((api) => !defined.has(keyOf(api)))
      .map((api) => [JSON.stringify([keyOf(api), api.version, api.by]), api]),
  );
  return [...missing]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, { crd, version, kind, by, place }]) => ({
      code: "CRD003",
      severity,
      crd,
      version,
      path: "",
      detail: { by, kind, crd },
      place,
    }));
}

/** What the severity of a rule about a definition by itself does not depend on. */
const ALONE = { severalOwners: false, compat: false, objects: "unknown", effect: "tighter", webhook: false } as const;

function keyOf({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return JSON.stringify([group, kind]);
}
