// What was not read, and so may make a "no" wrong? In words, with what has to be given or mended.

import type { Problem, Request, UnavailableCatalog } from "../../model/problem.ts";
import type { NoCandidates } from "../candidates.ts";
import { wholeName } from "../catalog-order.ts";
import type { LostPart } from "../lost-parts.ts";
import type { Fix } from "../resolution.ts";
import type { Unread } from "../unread.ts";
import { type Advice, fixWithoutChange } from "./advice.ts";
import type { Cause } from "./cause.ts";
import { lostText, sourceText } from "./source-text.ts";
import { memberText } from "./version-runs.ts";

/** So much of what was left out of catalogs is named in an explanation, and so much of it is advised to be mended. */
const MOST_LOST = 3;
const MOST_ADVICE = 2;

/** What is not known may make the "no" wrong. */
export function uncertainties(
  problem: Problem,
  { lost, away, stuck }: Unread,
  causes: readonly Cause[],
): readonly string[] {
  const more = lost.length - MOST_LOST;
  return [
    ...(away.length > 0
      ? away.map(({ name, reason }) => `This is not certain: catalog ${name} is not available (${reason}).`)
      : perhapsBetter(problem, causes)),
    ...lost.slice(0, MOST_LOST).map((part) => `This is not certain: ${lostText(part)}.`),
    ...(more > 0
      ? [`${more} more ${more === 1 ? "part of the catalogs was" : "parts of the catalogs were"} left out.`]
      : []),
    ...stuck.flatMap((one) => {
      const { installed, none } = one;
      if (installed === undefined || none === undefined) return [];
      return [
        `This is not certain: whether ${memberText(installed)} can be updated is not known; ${sourceText(one.request, none)}.`,
      ];
    }),
  ];
}

function perhapsBetter({ unavailable, options }: Problem, causes: readonly Cause[]): readonly string[] {
  if (unavailable.length === 0 || options.ignoreUnavailable || causes.some(({ kind }) => kind === "unavailable"))
    return [];
  const catalogs = unavailable.map(({ name, reason }) => `catalog ${name} (${reason})`);
  return [`Not available, and perhaps better: ${catalogs.join(", ")}.`];
}

/** What was not read, and may be what is missing, has to be given or mended. */
export function whatIsUnread(problem: Problem, { lost, away, stuck }: Unread): readonly Fix[] {
  const advice = [
    ...away.map(pathTo),
    ...lost.map(mending),
    ...stuck.flatMap(({ none }) => (none === undefined ? [] : toRead(problem, none))),
  ];
  const distinct = new Map(advice.map((one) => [JSON.stringify(one), one]));
  return [...distinct.values()].slice(0, MOST_ADVICE).map((one) => fixWithoutChange(one, problem));
}

/** What has to be given, or mended, for a request whose source was not read; nothing where it was. */
export function toRead({ catalogs }: Problem, none: NoCandidates): readonly Advice[] {
  if (none.kind === "unread") return [mending(none.lost)];
  if (none.kind !== "not-given") return [];
  const hasNamesake = catalogs.some(({ name }) => name === none.catalog.name);
  const { name } = none.catalog;
  return [{ kind: "give-catalog", why: "not-given", name, path: hasNamesake ? wholeName(none.catalog) : name }];
}

function mending({ catalog, finding }: LostPart): Advice {
  return { kind: "mend-catalog", catalog, ...(finding?.help !== undefined && { help: finding.help }) };
}

function pathTo(catalog: UnavailableCatalog): Advice {
  return { kind: "give-catalog", why: "unreadable", name: catalog.name, path: wholeName(catalog) };
}

/** Where nothing can be tried: the catalog that is asked for may only not have been given. */
export function notNamed(none: NoCandidates): readonly Advice[] {
  if (none.kind !== "no-catalog") return [];
  return [{ kind: "give-catalog", why: "unnamed", name: none.catalog, path: none.catalog }];
}

/** A catalog that could not be read and may have it has to be given. */
export function missingCatalogs({ unavailable }: Problem, { catalog }: Request, none: NoCandidates): readonly Advice[] {
  const mayHave = none.kind === "unavailable" || (none.kind === "no-package" && catalog === undefined);
  return (mayHave ? unavailable : [])
    .filter(({ name }) => none.kind !== "unavailable" || name === none.catalog)
    .map(pathTo);
}
