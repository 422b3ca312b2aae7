// Why does a request have nothing to choose from, in a clause? What is gone, or what was not read.

import type { Request } from "../../model/problem.ts";
import type { NoCandidates } from "../../resolve/candidates.ts";
import { wholeName } from "../../resolve/catalog-order.ts";
import type { LostPart } from "../../resolve/lost-parts.ts";
import { byKind } from "../kit/by-kind.ts";

type Requested = Pick<Request, "name" | "package" | "catalog" | "channel" | "startingCSV">;

/** "package etcd has no channel alpha", "catalog partner was not given". */
export const sourceText: (none: NoCandidates, request: Requested) => string = byKind({
  unavailable: (none) => `catalog ${none.catalog} is not available: ${none.reason}`,
  "not-given": (none) => `the cluster has a CatalogSource ${wholeName(none.catalog)}, but its content was not given`,
  unread: (none) => lostText(none.lost),
  "no-catalog": (none) => `there is no catalog ${none.catalog}`,
  "no-package": (_none, request) =>
    `${request.catalog === undefined ? "no catalog has a" : `catalog ${request.catalog.name} has no`} package ${request.package}`,
  "no-channel": (_none, request) => `package ${request.package} has no channel ${request.channel}`,
  "no-start": (_none, request) => `there is no ${request.startingCSV}`,
  "no-version": () => "no version matches",
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
