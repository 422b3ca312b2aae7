// Why does a request have nothing to choose from, in a clause? What is gone, or what was not read.

import type { Request } from "../../model/problem.ts";
import type { NoCandidates } from "../../resolve/candidates.ts";
import { wholeName } from "../../resolve/catalog-order.ts";
import type { LostPart } from "../../resolve/lost-parts.ts";

/** "package etcd has no channel alpha", "catalog partner was not given". */
export function sourceText(
  request: Pick<Request, "package" | "catalog" | "channel" | "startingCSV">,
  none: NoCandidates,
): string {
  const { package: owner, catalog, channel } = request;
  switch (none.kind) {
    case "unavailable":
      return `catalog ${none.catalog} is not available: ${none.reason}`;
    case "not-given":
      return `the cluster has a CatalogSource ${wholeName(none.catalog)}, but its content was not given`;
    case "unread":
      return lostText(none.lost);
    case "no-catalog":
      return `there is no catalog ${none.catalog}`;
    case "no-package":
      return catalog === undefined
        ? `no catalog has a package ${owner}`
        : `catalog ${catalog.name} has no package ${owner}`;
    case "no-channel":
      return `package ${owner} has no channel ${channel}`;
    case "no-start":
      return `there is no ${request.startingCSV}`;
    case "no-version":
      return "no version matches";
    case "no-update":
      return "its channel has nothing newer";
  }
}

/** OLM's message about a Subscription for which nothing is found; nothing if it says something else. */
export function olmText(
  {
    name,
    package: owner,
    channel = "",
    catalog,
    startingCSV,
  }: Pick<Request, "name" | "package" | "channel" | "catalog" | "startingCSV">,
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
