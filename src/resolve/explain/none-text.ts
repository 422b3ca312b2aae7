// Why is there nothing that a request could be given?

import { compareText } from "../../model/json.ts";
import type { Request } from "../../model/problem.ts";
import type { NoCandidates } from "../candidates.ts";
import { wholeName } from "../catalog-order.ts";
import type { Round } from "../round.ts";
import { wishText } from "./fact-text.ts";
import { sourceText } from "./source-text.ts";
import { enumerated, membersText } from "./version-runs.ts";

/** Says why, and what there is instead. */
export function noneText(request: Request, none: NoCandidates, round: Round): string {
  const { package: owner, catalog, startingCSV } = request;
  const wish = wishText(request);
  switch (none.kind) {
    case "unavailable":
    case "not-given":
    case "unread":
      return sourceText(request, none);
    case "no-catalog": {
      const { catalogs } = round.problem;
      const same = catalogs.filter(({ name }) => name === catalog?.name).map(wholeName);
      const names = [...new Set(same.length > 0 ? same : catalogs.map(({ name }) => name))];
      return `${sourceText(request, none)}${known(names.length > 1 ? "there are" : "there is", names)}`;
    }
    case "no-package":
      return catalog === undefined && round.problem.unavailable.length > 0
        ? `no catalog that is available has a package ${owner}`
        : sourceText(request, none);
    case "no-channel":
      return `${sourceText(request, none)}${known("it has", channelsOf(owner, round))}`;
    case "no-start":
      return `there is no ${startingCSV} for ${wish}`;
    case "no-version":
      return `no bundle matches ${wish}${offerText(owner, round)}`;
    case "no-update":
      return `there is no update for ${wish}`;
  }
}

function known(what: string, names: readonly string[]): string {
  const sorted = [...new Set(names)].sort(compareText);
  return sorted.length === 0 ? "" : `; ${what} ${enumerated(sorted)}`;
}

function channelsOf(owner: string, { problem }: Round): readonly string[] {
  return problem.catalogs.flatMap(({ packages }) => [...(packages.get(owner)?.channels.keys() ?? [])]);
}

function offerText(owner: string, { encoding: { universe } }: Round): string {
  const offered = universe.chainsOf(universe.familyOf(owner));
  return offered.length === 0 ? "" : `; on offer is ${membersText(offered, { whole: "runs" })}`;
}
