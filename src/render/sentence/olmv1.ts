// Why does OLM v1 not resolve a ClusterExtension? With the facts of its own message.

import type { OlmV1Filters, OlmV1Refusal } from "../../resolve/olmv1/choose.ts";
import { enumerated, quoted } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";
import { malformedReason, malformedText } from "./malformed-field.ts";

const FIELDS = {
  version: "version range",
  selector: "catalog selector",
  upgradeConstraintPolicy: "upgradeConstraintPolicy",
} as const;

/** `no bundles found for package "etcd" matching version "3.0.0" in channels [alpha]`. */
export const olmV1Text: (refusal: OlmV1Refusal) => string = byKind({
  malformed: (refusal) =>
    `desired ${malformedText(refusal, FIELDS[refusal.field])} is invalid: ${malformedReason(refusal)}`,
  "no-bundles": (refusal) => `${upgrading(refusal)}no bundles found for ${filtersText(refusal)}`,
  "several-catalogs": (refusal) =>
    `${upgrading(refusal)}found bundles for ${filtersText(refusal)} in multiple catalogs with the same priority [${refusal.catalogs.join(" ")}]`,
  dependency: ({ bundle, properties }) =>
    `bundle ${quoted(bundle)} has a dependency declared via ${properties.length === 1 ? "property" : "properties"} ${enumerated(properties.map((one) => quoted(one)))}, which is currently not supported`,
});

function upgrading({ installed }: OlmV1Filters): string {
  return installed === undefined ? "" : `error upgrading from currently installed version ${quoted(installed)}: `;
}

function filtersText({ package: owner, version, channels }: OlmV1Filters): string {
  return [
    `package ${quoted(owner)}`,
    ...(version === undefined ? [] : [`matching version ${quoted(version, 80)}`]),
    ...(channels.length === 0 ? [] : [`in channels [${channels.join(" ")}]`]),
  ].join(" ");
}
