// When does time alone change an answer, and what ends then? A toleration, or the time for which scores are valid.

import { parseTimestamp, Timestamp } from "../../cel/value/timestamp.ts";
import { CelError } from "../../cel/value/value.ts";
import { addTo } from "../../model/grouped.ts";
import type { Placement } from "../../model/placement.ts";
import { shortText } from "../../text/words.ts";
import { type Look, namesText } from "../kit/look.ts";
import { taintText } from "../sentence/placement-check.ts";
import { paragraph } from "./paragraph.ts";
import type { ListedPlacement, ShownPlacements } from "./shown.ts";

const MAX_CAUSE_LENGTH = 100;
/** A year: later times are printed only in format `wide`. */
const FAR_AWAY = 366 * 86_400;

/** "At 2026-11-03T03:12:00Z dakar is no longer tolerated (taint …)."; without a known cause, that something may change. */
export function wakeLines(placed: ListedPlacement, { now, scores = [] }: ShownPlacements, look: Look): string[] {
  const { wakeAt = "" } = placed.result;
  const end = parseTimestamp(wakeAt);
  if (end instanceof CelError || (!look.all && end.seconds - now.seconds > FAR_AWAY)) return [];
  const moment = new Timestamp(end.seconds, 0).toString();
  const few = { ...look, all: false };
  const causes = [
    ...[...endingTolerations(placed, wakeAt)].map(
      ([taint, names]) =>
        `${namesText(names, few)} ${names.length === 1 ? "is" : "are"} no longer tolerated (taint ${shortText(taint, MAX_CAUSE_LENGTH)})`,
    ),
    ...[...expiringScores(placed, scores, end)].map(([resource, names]) => {
      const [what, verb] = names.length === 1 ? ["AddOnPlacementScore", "expires"] : ["AddOnPlacementScores", "expire"];
      return `the ${what} ${shortText(resource, MAX_CAUSE_LENGTH)} of ${namesText(names, few)} ${verb}`;
    }),
  ];
  const text = causes.length === 0 ? `May change by itself at ${moment}.` : `At ${moment} ${namesText(causes, few)}.`;
  return paragraph("", text, look);
}

/** The clusters that are tolerated until then, by their taint. */
function endingTolerations({ clusters }: ListedPlacement, moment: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, checks } of clusters)
    for (const check of checks)
      if (check.kind === "taint" && check.tolerance?.kind === "tolerated" && check.tolerance.until === moment)
        addTo(found, taintText(check.taint), name);
  return found;
}

/** The clusters whose scores are valid until then, by the name of these. */
function expiringScores(
  { result, clusters }: ListedPlacement,
  scores: NonNullable<ShownPlacements["scores"]>,
  moment: Timestamp,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const members = new Set(clusters.map(({ name }) => name));
  const read = namesRead(result.placement);
  for (const { namespace, name, validUntil } of scores) {
    if (validUntil === undefined || !members.has(namespace) || !read.has(name)) continue;
    const end = parseTimestamp(validUntil);
    if (end instanceof CelError || end.seconds !== moment.seconds) continue;
    addTo(found, name, namespace);
  }
  return found;
}

/** The scores that prioritizers and expressions may read: every text in quotes could be the name of some. */
function namesRead({ prioritizerPolicy, predicates }: Placement): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { scoreCoordinate } of prioritizerPolicy.configurations)
    if (scoreCoordinate?.addOn !== undefined) names.add(scoreCoordinate.addOn.resourceName);
  for (const { requiredClusterSelector } of predicates)
    for (const text of requiredClusterSelector.celExpressions)
      for (const [, double, single] of text.matchAll(/"([^"]*)"|'([^']*)'/g)) names.add(double ?? single ?? "");
  return names;
}
