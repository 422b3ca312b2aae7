// Why does a request have nothing to choose from, in a clause? What is gone, or what was not read.

import type { RequestRef } from "../../model/operator-ref.ts";
import type { NoCandidates } from "../../resolve/candidates.ts";
import { wholeName } from "../../resolve/catalog-order.ts";
import type { LostPart } from "../../resolve/lost-parts.ts";
import { byKind } from "../kit/by-kind.ts";
import { malformedReason, malformedText } from "./malformed-field.ts";
import { channelsText } from "./request.ts";

type Requested = Pick<
  RequestRef,
  "name" | "package" | "catalog" | "channel" | "startingCSV" | "extension" | "installed"
>;

/** "package etcd has no channel alpha", "catalog partner was not given". */
export const sourceText: (none: NoCandidates, request: Requested) => string = byKind({
  unavailable: (none) => `catalog ${none.catalog} is not available: ${none.reason}`,
  "not-given": (none, { extension }) =>
    `the cluster has a ${extension === undefined ? "CatalogSource" : "ClusterCatalog"} ${wholeName(none.catalog)}, but its content was not given`,
  unread: (none) => lostText(none.lost),
  "no-catalog": (none) => `there is no catalog ${none.catalog}`,
  "unread-catalogs": ({ catalog }, { extension }) =>
    `the ${extension === undefined ? "CatalogSources" : "ClusterCatalogs"} of the cluster could not be read, so ${catalog === undefined ? "which catalogs it has" : `whether it has catalog ${catalog}`} is not known`,
  "no-selected": () => "its selector matches no catalog",
  malformed: (none) => `its ${malformedText(none)} cannot be read: ${malformedReason(none)}`,
  "no-package": (_none, { package: owner, catalog, extension }) => {
    const only = catalog?.name ?? (extension?.catalogs?.length === 1 ? extension.catalogs[0] : undefined);
    if (only !== undefined) return `catalog ${only} has no package ${owner}`;
    return `no catalog${extension?.catalogs === undefined ? "" : " that it selects"} has a package ${owner}`;
  },
  "no-channel": (_none, { package: owner, channel, extension }) =>
    `package ${owner} has no ${extension === undefined ? `channel ${channel}` : channelsText(extension.channels)}`,
  "no-start": (_none, request) => `there is no ${request.startingCSV}`,
  "no-version": () => "no version matches",
  "no-successor": (_none, { installed }) => `no upgrade edge leads from ${installed} to a version that matches`,
  "no-update": () => "its channel has nothing newer",
});

/** OLM's message about a Subscription for which nothing is found; nothing if it says something else. */
export function olmText(
  { name, package: owner, channel = "", catalog, startingCSV }: Requested,
  none: NoCandidates,
): string | undefined {
  const found = ((): string | undefined => {
    const where = `in the catalog referenced by subscription ${name}`;
    switch (none.kind) {
      case "no-catalog":
        return `from catalog ${catalog?.name ?? ""} in namespace ${catalog?.namespace ?? ""} referenced by subscription ${name}`;
      case "no-package":
        return `in package ${owner} ${where}`;
      case "no-channel":
        return `in channel ${channel} of package ${owner} ${where}`;
      case "no-start":
        return `with name ${startingCSV} in channel ${channel} of package ${owner} ${where}`;
      default:
        return undefined;
    }
  })();
  return found && `constraints not satisfiable: no operators found ${found}, subscription ${name} exists`;
}

/** What was left out of a catalog, and what was wrong with it. */
export function lostText({ part, catalog, finding }: LostPart): string {
  const why = finding === undefined ? "" : `: ${finding.message}`;
  if (part === "document") return `not all of catalog ${catalog} could be read${why}`;
  return `a ${part} of catalog ${catalog} was left out${why}`;
}
