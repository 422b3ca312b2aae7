// What was not read and so could make a "no" wrong? And what must be given or repaired.

import { distinct } from "../../model/json.ts";
import type { Problem, Request, UnavailableCatalog } from "../../model/problem.ts";
import { type NoCandidates, plainNone } from "../candidates.ts";
import { hidingCatalogs, wholeName } from "../catalog-order.ts";
import { type LostPart, plainLost } from "../lost-parts.ts";
import { refOf, requestRef } from "../member.ts";
import type { Fix } from "../resolution.ts";
import type { Unread } from "../unread.ts";
import { type Advice, fixWithoutChange } from "./advice.ts";
import type { Cause } from "./cause.ts";
import type { Note } from "./explanation-body.ts";

/** Number of parts left out of catalogs that an explanation names, and that it advises to repair. */
const MAX_LOST = 3;
const MAX_ADVICE = 2;

/** Notes about unread input that could make the "no" wrong. */
export function uncertainties(
  problem: Problem,
  { lost, away, stuck }: Unread,
  causes: readonly Cause[],
): readonly Note[] {
  const more = lost.length - MAX_LOST;
  return [
    ...(away.length > 0
      ? away.map(({ name, reason }): Note => ({ kind: "unavailable", catalog: name, reason }))
      : perhapsBetter(problem, causes)),
    ...lost.slice(0, MAX_LOST).map((part): Note => ({ kind: "lost", lost: plainLost(part) })),
    ...(more > 0 ? [{ kind: "more-lost", count: more } as const] : []),
    ...stuck.flatMap(({ request, installed, none }): Note[] => {
      if (installed === undefined || none === undefined) return [];
      return [{ kind: "may-move", installed: refOf(installed), request: requestRef(request), none: plainNone(none) }];
    }),
  ];
}

function perhapsBetter(problem: Problem, causes: readonly Cause[]): readonly Note[] {
  const hiding = hidingCatalogs(problem);
  if (hiding.length === 0 || causes.some(({ kind }) => kind === "unavailable")) return [];
  return [{ kind: "perhaps-better", catalogs: hiding.map(({ name, reason }) => ({ name, reason })) }];
}

/** Advice to give or repair what was not read and may be what is missing. */
export function whatIsUnread(problem: Problem, { lost, away, stuck }: Unread): readonly Fix[] {
  const advice = [
    ...away.map(pathTo),
    ...lost.map(repairOf),
    ...stuck.flatMap(({ none }) => (none === undefined ? [] : toRead(problem, none))),
  ];
  return distinct(advice)
    .slice(0, MAX_ADVICE)
    .map((one) => fixWithoutChange(one, problem));
}

/** Advice for a request whose source was not read; empty if it was. */
export function toRead({ catalogs }: Problem, none: NoCandidates): readonly Advice[] {
  if (none.kind === "unread") return [repairOf(none.lost)];
  if (none.kind !== "not-given") return [];
  const hasNamesake = catalogs.some(({ name }) => name === none.catalog.name);
  const { name } = none.catalog;
  return [{ kind: "give-catalog", why: "not-given", name, path: hasNamesake ? wholeName(none.catalog) : name }];
}

function repairOf({ catalog, finding }: LostPart): Advice {
  return { kind: "repair-catalog", catalog, ...(finding?.help !== undefined && { help: finding.help }) };
}

function pathTo(catalog: UnavailableCatalog): Advice {
  return { kind: "give-catalog", why: "unreadable", name: catalog.name, path: wholeName(catalog) };
}

/** If nothing can be tried: the requested catalog may only be missing from the input. */
export function notNamed(none: NoCandidates): readonly Advice[] {
  const name = none.kind === "no-catalog" || none.kind === "unread-catalogs" ? none.catalog : undefined;
  return name === undefined ? [] : [{ kind: "give-catalog", why: "unnamed", name, path: name }];
}

/** Advice to give a catalog that could not be read and may have it. */
export function missingCatalogs({ unavailable }: Problem, request: Request, none: NoCandidates): readonly Advice[] {
  // A ClusterExtension that may use one of them is not without a package.
  const mayUse = request.catalog === undefined && request.extension === undefined;
  const mayHave = none.kind === "unavailable" || (none.kind === "no-package" && mayUse);
  return (mayHave ? unavailable : [])
    .filter(({ name }) => none.kind !== "unavailable" || name === none.catalog)
    .map(pathTo);
}

/** If only upgrade edges are missing, a ClusterExtension can do without them. */
export function withoutEdges({ id, place }: Request, none: NoCandidates): readonly Advice[] {
  return none.kind === "no-successor" && place !== undefined ? [{ kind: "self-certify", extension: id }] : [];
}
