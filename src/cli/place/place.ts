// `plimsoll place`: which clusters does each Placement select, and why not the others?

import { setFlagsFromString } from "node:v8";
import type { Spot } from "../../input/locate.ts";
import { type Place, printPlace } from "../../model/place.ts";
import { unreadPlacements } from "../../placement/eligible/unread.ts";
import { type FleetObjects, PlacementEngine, type PlacingOptions } from "../../placement/engine.ts";
import { type PlacementChange, placementChanges } from "../../placement/placement-change.ts";
import { DEFAULT_MODE } from "../../placement/placement-mode.ts";
import type { ClusterReport, PlacementResult } from "../../placement/placement-result.ts";
import { safeText } from "../../render/kit/safe-text.ts";
import {
  needsReports,
  needsValues,
  placementPieces,
  renderPlacementExplanation,
} from "../../render/placement/render-placement.ts";
import { placementKey, placesOf, type ShownPlacement } from "../../render/placement/shown.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { reportedFindings, tellFindings } from "../inputs.ts";
import { refuse } from "../question/usage-error.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { answersAfter, answersBefore, clustersDecided, lackingSets, worldBefore } from "./against.ts";
import { askedPlacements, loadPlaceInputs, type PlaceInputs, type Refusal } from "./inputs.ts";
import { named, type PlacementName } from "./names.ts";
import { type PlaceFlags, placingOptions, wrongForPlace } from "./options.ts";
import { brakeSentences, mistakesTold, unshownSentences } from "./stderr.ts";

// A fleet is large and stays: garbage may nearly double the memory until it is collected, and not make it four times as much.
setFlagsFromString("--heap-growing-percent=90");

/** Runs the command; `words` name Placements. */
export async function runPlace(words: readonly string[], flags: PlaceFlags): Promise<ExitCode> {
  const terminal = openTerminal(flags.color);
  const wrong = wrongForPlace(flags);
  if (wrong !== undefined) return refuse(wrong, terminal);

  const inputs = await loadPlaceInputs(flags, terminal);
  const asked = askedPlacements(words, flags, inputs);
  await tellFindings(inputs, flags, terminal, restOf(asked, inputs, flags));
  if ("message" in asked) return worstOf([...inputs.codes, refuse(asked.message, terminal, asked.code)]);
  if (inputs.unread.length > 0)
    terminal.err(
      `plimsoll: ${safeText(`nothing is compared, since this could not be read: ${named(inputs.unread)}`)}\n`,
    );
  // While we place nobody would hear an interruption, unless the system itself acts on it.
  process.removeAllListeners("SIGINT");
  const { results, changes } = await answer(asked, inputs, flags, terminal);
  const lost = lostPlacements(words, inputs, flags);
  if (lost.length > 0) {
    const sentence = `Placements that could not be read have no answer here; they are, or may be, in ${named(lost.map(printPlace))}`;
    terminal.err(`plimsoll: ${safeText(sentence)}\n`);
  }
  const lostCodes = lost.length > 0 ? [EXIT.invalidInput] : [];
  return worstOf([...inputs.codes, ...lostCodes, ...results.flatMap(codesOf), ...changes.flatMap(codesOfChange)]);
}

/** Where Placements are, or may be, that the answer lacks. Of those that are named, each that is lost has ended the run. */
function lostPlacements(
  words: readonly string[],
  { objects, codes }: PlaceInputs,
  { namespace }: PlaceFlags,
): readonly Place[] {
  if (words.length > 0) return [];
  // Of a path that is not there the code tells already.
  const isTold = codes.includes(EXIT.unreachable);
  return unreadPlacements(objects, namespace).filter(({ line }) => line > 0 || !isTold);
}

/** What becomes of the input beside what is wrong with it. */
function restOf(asked: readonly PlacementName[] | Refusal, { against }: PlaceInputs, flags: PlaceFlags): string {
  if ("message" in asked) return "nothing is placed";
  const isCompared = flags.against.length === 0 || against !== undefined;
  return isCompared ? "the rest is used" : "nothing is compared, the rest is used";
}

/** What came of a run. */
interface Answered {
  readonly results: readonly PlacementResult[];
  readonly changes: readonly PlacementChange[];
}

/** Places, compares with what was before if that is asked for, and prints the answers. */
async function answer(
  asked: readonly PlacementName[],
  { objects, against, findings, files }: PlaceInputs,
  flags: PlaceFlags,
  terminal: Terminal,
): Promise<Answered> {
  const options = placingOptions(flags);
  const keys = new Set(asked.map(placementKey));
  // Also those that are not asked for: each sees what those before it have decided.
  const engine = new PlacementEngine(objects, options);
  const shownKeys = engine.keys().filter((key) => keys.has(key));
  const results = shownKeys.map((key) => engine.result(key) as PlacementResult);
  const changes = against && changesSince(against, keys, objects, engine, flags, options);

  const places = results.map((result) => ({ result, rulePlaces: engine.rulePlaces(placementKey(result.placement)) }));
  const spots = await files.spots(placesOf(places, flags.explain === undefined ? flags.output : "explanation"));
  const spot = (place: Place): Spot | undefined => spots.get(place);
  const at = (place: Place): string => {
    const { line, column } = spots.get(place) ?? place;
    return printPlace({ source: place.source, line, column });
  };
  const given = { decided: clustersDecided(objects.placementDecisions), lacking: lackingSets(objects) };
  const shown = {
    placements: eachOf(results, (result) => shownPlacement(result, engine, given, flags)),
    ...{ changes, mode: options.mode ?? DEFAULT_MODE, now: options.now, at, spot },
    inputFindings: await reportedFindings({ findings, files }, flags.output),
    ...{ against: named(flags.against), tieBreak: flags.tieBreak, scores: objects.addOnPlacementScores },
  };
  const look = { output: flags.output, style: terminal.outStyle, width: terminal.outWidth };
  await terminal.outAll(
    flags.explain === undefined
      ? placementPieces(shown, look)
      : [renderPlacementExplanation(shown, flags.explain, look)],
  );
  const told = flags.explain === undefined ? results : results.filter((result) => isMet(result, engine, flags));
  tellBeside({ results, told, changes: changes ?? [] }, spot, flags, terminal);
  return { results, changes: changes ?? [] };
}

/** Things that are made when somebody comes to them, one after the other. */
function eachOf<From, To>(list: readonly From[], make: (from: From) => To): Iterable<To> {
  return {
    *[Symbol.iterator]() {
      for (const one of list) yield make(one);
    },
  };
}

/** What is different from the world before, in which those of `against` took the place of what is there now. */
function changesSince(
  against: FleetObjects,
  keys: ReadonlySet<string>,
  fleet: FleetObjects,
  engine: PlacementEngine,
  { maxRemoved }: PlaceFlags,
  options: PlacingOptions,
): readonly PlacementChange[] {
  const engineBefore = new PlacementEngine(worldBefore(fleet, against), options);
  const before = answersBefore(engineBefore, against, keys);
  return placementChanges(before, answersAfter(engine, before, fleet, keys), maxRemoved);
}

/** What is shown of the objects that were given. */
interface Given {
  /** The clusters of PlacementDecisions, by the key of their Placement. */
  readonly decided: ReadonlyMap<string, ReadonlySet<string>>;
  /** Sets that are bound and not there, by namespace. */
  readonly lacking: ReadonlyMap<string, readonly string[]>;
}

function shownPlacement(
  result: PlacementResult,
  engine: PlacementEngine,
  { decided, lacking }: Given,
  flags: PlaceFlags,
): ShownPlacement {
  const key = placementKey(result.placement);
  const allChecks = flags.allChecks === true;
  return {
    result,
    clusters: reportsOf(key, engine, flags),
    closely: (cluster) => engine.report(key, cluster, { allChecks }),
    decided: decided.get(key),
    lackingSets: lacking.get(result.placement.namespace),
  };
}

function reportsOf(key: string, engine: PlacementEngine, flags: PlaceFlags): Iterable<ClusterReport> {
  const { explain, output } = flags;
  const allChecks = flags.allChecks === true;
  if (explain === undefined)
    return needsReports(output) ? engine.eachReport(key, { allChecks, isBrief: !needsValues(output) }) : [];
  const report = engine.report(key, explain, { allChecks, trace: true });
  return report === undefined ? [] : [report];
}

/** Forms that show everything there is to say about a Placement. */
const COMPLETE_FORMS = new Set(["text", "wide", "json", "yaml"]);
/** Forms that show clusters only. */
const BARE_FORMS = new Set(["name", "placementdecision"]);
/** Forms that are read by programs: whoever runs them sees what stands beside them only. */
const FORMS_FOR_PROGRAMS = new Set(["json", "yaml"]);

/** Tells on standard error what the answer itself does not show. */
function tellBeside(
  { results, told, changes }: Answered & { readonly told: readonly PlacementResult[] },
  spot: (place: Place) => Spot | undefined,
  { output, explain, quiet = false }: PlaceFlags,
  terminal: Terminal,
): void {
  const isComplete = COMPLETE_FORMS.has(output);
  // What is odd about a Placement has no room where one cluster is explained.
  const wanted = { errors: !isComplete, warnings: !quiet && (!isComplete || explain !== undefined) };
  const texts = mistakesTold(told, spot, terminal.errStyle, wanted);
  if (explain !== undefined && output === "text" && texts.length > 0) terminal.err("\n");
  for (const text of texts) terminal.err(`${text}\n`);
  const sentences = [
    ...(FORMS_FOR_PROGRAMS.has(output) ? brakeSentences(changes) : []),
    ...(BARE_FORMS.has(output) && !quiet ? unshownSentences(results) : []),
  ];
  for (const sentence of sentences) terminal.err(`plimsoll: ${safeText(sentence)}\n`);
}

/** Did the cluster that is explained come as far as the rules that may be odd? */
function isMet({ placement }: PlacementResult, engine: PlacementEngine, { explain = "" }: PlaceFlags): boolean {
  const verdict = engine.report(placementKey(placement), explain)?.verdict;
  return verdict !== "outside" && verdict !== "terminating";
}

/** What the answer to a Placement means for the exit code. */
export function codesOf({
  mistakes,
  warnings,
  unscheduled,
}: Pick<PlacementResult, "mistakes" | "warnings" | "unscheduled">): readonly ExitCode[] {
  if (warnings.some(({ isUnread }) => isUnread === true)) return [EXIT.invalidInput];
  if (mistakes.some(({ isLimit }) => isLimit !== true)) return [EXIT.no];
  if ([...mistakes, ...warnings].some(({ isLimit }) => isLimit === true)) return [EXIT.undecided];
  return unscheduled > 0 ? [EXIT.no] : [];
}

/** What a change means for the exit code. */
export function codesOfChange({ exceeded }: Pick<PlacementChange, "exceeded">): readonly ExitCode[] {
  return exceeded === undefined ? [] : [EXIT.no];
}
