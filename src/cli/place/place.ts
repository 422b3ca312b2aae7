// `plimsoll place`: which clusters does each Placement select, and why not the others?

import { setFlagsFromString } from "node:v8";
import type { SourcePosition } from "../../input/locate.ts";
import { type Place, printPlace, printShown } from "../../model/place.ts";
import { changesSince, clustersDecided } from "../../placement/compare/changes-since.ts";
import type { PlacementChange } from "../../placement/compare/placement-change.ts";
import { unreadPlacements } from "../../placement/eligible/unread.ts";
import { PlacementEngine } from "../../placement/engine.ts";
import { missingSets } from "../../placement/missing-input.ts";
import { DEFAULT_MODE } from "../../placement/placement-mode.ts";
import { type PlacementName, placementKey } from "../../placement/placement-name.ts";
import type { ClusterReport, PlacementDecisions, PlacementResult } from "../../placement/placement-result.ts";
import { namesText, unreadInputText } from "../../render/placement/choice-text.ts";
import {
  needsReports,
  placementPieces,
  renderPlacementExplanation,
  shownOf,
} from "../../render/placement/render-placement.ts";
import { placesOf, type ShownPlacement } from "../../render/placement/shown.ts";
import { counted } from "../../text/words.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { inputBytes, printedText, printFindings, reportedFindings } from "../inputs.ts";
import { namesCluster } from "../live/options.ts";
import { note, refuse } from "../question/usage-error.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { askedPlacements, loadPlaceInputs, type PlaceInputs, type Refusal } from "./inputs.ts";
import { type PlaceFlags, placingOptions, wrongForPlace } from "./options.ts";
import { brakeSentences, mistakeTexts, unshownSentences } from "./stderr.ts";

export { withPlaceOptions as addFlags } from "./options.ts";

/** Runs the command; `names` are those of Placements. */
export async function run(names: readonly string[], flags: PlaceFlags): Promise<ExitCode> {
  const terminal = openTerminal(flags);
  const wrong = wrongForPlace(flags);
  if (wrong !== undefined) return refuse(wrong, terminal);

  // A large fleet stays in memory: let garbage at most double the heap before it is collected, instead of quadruple it.
  if (isLarge(flags)) setFlagsFromString("--heap-growing-percent=90");
  const inputs = await loadPlaceInputs(flags, terminal);
  const asked = askedPlacements(names, flags, inputs);
  await printFindings(inputs, flags, terminal, restOf(asked, inputs, flags));
  if ("message" in asked) return worstOf([...inputs.codes, refuse(asked.message, terminal, asked.code)]);
  if (inputs.unread.length > 0)
    note(
      `nothing is compared, since this could not be read: ${namesText(inputs.unread.map(unreadInputText))}`,
      terminal,
    );
  // Restore the default SIGINT: placing is synchronous and would not see the event.
  process.removeAllListeners("SIGINT");
  const { results, changes } = await answer(asked, inputs, flags, terminal);
  const lost = unansweredPlacements(names, inputs, flags);
  if (lost.length > 0)
    note(
      `Placements that could not be read have no answer here; they are, or may be, in ${namesText(lost.map(printPlace))}`,
      terminal,
    );
  const lostCodes = lost.length > 0 ? [EXIT.invalidInput] : [];
  return worstOf([...inputs.codes, ...lostCodes, ...results.flatMap(codesOf), ...changes.flatMap(codesOfChange)]);
}

/** Bytes from which the memory of a fleet matters: about 25,000 clusters. */
const LARGE_INPUT = 64 * 1024 * 1024;
/** Roughly how much gzip shrinks JSON and YAML. */
const GZIP_FACTOR = 10;

/** Is the input large? Unknown for standard input and for a cluster, so it is assumed. */
function isLarge({ filename, against, ...flags }: PlaceFlags): boolean {
  if (filename.length === 0 || namesCluster(flags)) return true;
  const paths = [...filename, ...against];
  const isZipped = paths.some((path) => path.endsWith(".gz"));
  return paths.includes("-") || inputBytes(paths) * (isZipped ? GZIP_FACTOR : 1) > LARGE_INPUT;
}

/** Where there are, or may be, Placements without an answer. A named Placement that could not be read has ended the run already. */
function unansweredPlacements(
  names: readonly string[],
  { objects, codes }: PlaceInputs,
  { namespace }: PlaceFlags,
): readonly Place[] {
  if (names.length > 0) return [];
  // A missing path has its own exit code.
  const isReported = codes.includes(EXIT.unreachable);
  return unreadPlacements(objects, namespace).filter(({ line }) => line > 0 || !isReported);
}

/** What happens to the valid part of the input. */
function restOf(asked: readonly PlacementName[] | Refusal, { against }: PlaceInputs, flags: PlaceFlags): string {
  if ("message" in asked) return "nothing is placed";
  const isCompared = flags.against.length === 0 || against !== undefined;
  return isCompared ? "the rest is used" : "nothing is compared, the rest is used";
}

/** The answers of a run. */
interface Answered {
  readonly results: readonly PlacementResult[];
  readonly changes: readonly PlacementChange[];
}

/** Places, compares with `--against` if it was given, and prints the answers. */
async function answer(
  asked: readonly PlacementName[],
  { objects, against, findings, files }: PlaceInputs,
  flags: PlaceFlags,
  terminal: Terminal,
): Promise<Answered> {
  const options = placingOptions(flags);
  const keys = new Set(asked.map(placementKey));
  // The engine gets all Placements, not only the named ones: each sees the decisions of those before it.
  const engine = new PlacementEngine(objects, options);
  const shownKeys = engine.keys().filter((key) => keys.has(key));
  const results = shownKeys.map((key) => engine.result(key) as PlacementResult);
  const { managedClusters } = objects;
  terminal.endPhase(
    () => `evaluated ${counted(results.length, "Placement")} on ${counted(managedClusters.length, "cluster")}`,
  );
  const changes = against && changesSince({ against, now: objects, keys, limit: flags.maxRemoved }, engine, options);
  if (changes !== undefined) terminal.endPhase(() => `compared with ${namesText(flags.against)}`);

  const places = results.map((result) => ({ result, rulePlaces: engine.rulePlaces(placementKey(result.placement)) }));
  const spots = await files.locate(placesOf(places, flags.explain === undefined ? flags.output : "explanation"));
  const spot = (place: Place): SourcePosition | undefined => spots.get(place);
  const at = (place: Place): string => printShown(place, spots.get(place));
  const given = { decided: clustersDecided(objects.placementDecisions), missing: missingSets(objects) };
  const shown = {
    placements: eachOf(results, (result) => shownPlacement(result, engine, given, flags)),
    ...{ changes, mode: options.mode ?? DEFAULT_MODE, now: options.now, at, spot },
    inputFindings: await reportedFindings({ findings, files }, flags.output),
    ...{ against: namesText(flags.against), tieBreak: flags.tieBreak, scores: objects.addOnPlacementScores },
  };
  const look = { output: flags.output, style: terminal.outStyle, width: terminal.outWidth };
  await terminal.outAll(
    flags.explain === undefined
      ? placementPieces(shown, look)
      : [renderPlacementExplanation(shown, flags.explain, look)],
  );
  terminal.endPhase(() => printedText(flags));
  const concerned = flags.explain === undefined ? results : results.filter((result) => isMet(result, engine, flags));
  printUnshown({ results, concerned, changes: changes ?? [] }, spot, flags, terminal);
  return { results, changes: changes ?? [] };
}

/** Maps lazily: an element is made when the iterator reaches it. */
function eachOf<From, To>(list: readonly From[], make: (from: From) => To): Iterable<To> {
  return {
    *[Symbol.iterator]() {
      for (const one of list) yield make(one);
    },
  };
}

/** What the answers show about the given objects. */
interface Given {
  /** The clusters of PlacementDecisions, by the key of their Placement. */
  readonly decided: ReadonlyMap<string, ReadonlySet<string>>;
  /** Sets that are bound but were not given, by namespace. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

function shownPlacement(
  result: PlacementResult,
  engine: PlacementEngine,
  { decided, missing }: Given,
  flags: PlaceFlags,
): ShownPlacement {
  const key = placementKey(result.placement);
  const allChecks = flags.allChecks === true;
  return {
    result,
    decisions: engine.decisions(key) as PlacementDecisions,
    clusters: reportsOf(key, engine, flags),
    closely: (cluster) => engine.report(key, cluster, { allChecks }),
    decided: decided.get(key),
    lackingSets: missing.get(result.placement.namespace),
  };
}

function reportsOf(key: string, engine: PlacementEngine, flags: PlaceFlags): Iterable<ClusterReport> {
  const { explain, output } = flags;
  if (explain === undefined)
    return needsReports(output)
      ? engine.eachReport(key, { allChecks: flags.allChecks === true, ...shownOf(output) })
      : [];
  const report = engine.report(key, explain, { allChecks: true, trace: true });
  return report === undefined ? [] : [report];
}

/** Formats that show everything about a Placement. */
const COMPLETE_FORMATS = new Set(["text", "wide", "json", "yaml"]);
/** Formats that show clusters only. */
const BARE_FORMATS = new Set(["name", "placementdecision"]);
/** Output formats for programs; people who run the command read only standard error. */
const FORMATS_FOR_PROGRAMS = new Set(["json", "yaml"]);

/** Prints to standard error what the format of the answer does not show. */
function printUnshown(
  { results, concerned, changes }: Answered & { readonly concerned: readonly PlacementResult[] },
  spot: (place: Place) => SourcePosition | undefined,
  { output, explain, quiet = false }: PlaceFlags,
  terminal: Terminal,
): void {
  const isComplete = COMPLETE_FORMATS.has(output);
  // The explanation of one cluster does not show the warnings of its Placement.
  const wanted = { errors: !isComplete, warnings: !quiet && (!isComplete || explain !== undefined) };
  const texts = mistakeTexts(concerned, spot, terminal.errStyle, wanted);
  if (explain !== undefined && output === "text" && texts.length > 0) terminal.err("\n");
  for (const text of texts) terminal.err(`${text}\n`);
  const sentences = [
    ...(FORMATS_FOR_PROGRAMS.has(output) ? brakeSentences(changes) : []),
    ...(BARE_FORMATS.has(output) && !quiet ? unshownSentences(results) : []),
  ];
  for (const sentence of sentences) note(sentence, terminal);
}

/** Did the explained cluster reach the rules that warnings are about? */
function isMet({ placement }: PlacementResult, engine: PlacementEngine, { explain = "" }: PlaceFlags): boolean {
  const verdict = engine.report(placementKey(placement), explain)?.verdict;
  return verdict !== "outside" && verdict !== "terminating";
}

/** The exit codes that follow from the answer to a Placement. */
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

/** The exit codes that follow from a change. */
export function codesOfChange({ exceeded }: Pick<PlacementChange, "exceeded">): readonly ExitCode[] {
  return exceeded === undefined ? [] : [EXIT.no];
}
