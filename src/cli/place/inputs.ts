// What is to be placed, and what was there before? Loads the objects of `-f` and `--against`, and says what is missing.

import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { compareFindings } from "../../model/finding.ts";
import { placeOfLost, placeOfLostKind } from "../../model/lost-text.ts";
import { type Place, printPlace } from "../../model/place.ts";
import { withoutOwnFields } from "../../placement/placement-findings.ts";
import { placementKey } from "../../render/placement/shown.ts";
import { loadObjects } from "../../source/load-objects.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { type Inputs, isBroken, loadInputs } from "../inputs.ts";
import type { Terminal } from "../terminal.ts";
import { FLEET_LISTS, gonePlacements } from "./against.ts";
import { isUnread, unreadOf } from "./missing-input.ts";
import { chosenPlacements, type PlacementName, unknownCluster } from "./names.ts";
import type { PlaceFlags } from "./options.ts";

/** Everything that was loaded. */
export interface PlaceInputs extends Pick<Inputs, "objects" | "findings" | "codes" | "files"> {
  /** The objects of `--against`, if it was given and can be read. */
  readonly against: ClusterObjects | undefined;
  /** What of `-f` could not be read, so that nothing is compared with `--against`. */
  readonly unread: readonly string[];
}

/** Why there is no answer. */
export interface Refusal {
  readonly message: string;
  readonly code: ExitCode;
}

/** Loads all inputs. If anything that a placement depends on is broken, nothing is compared: nobody could say what is lost. */
export async function loadPlaceInputs(flags: PlaceFlags, terminal: Terminal): Promise<PlaceInputs> {
  const loaded = await loadInputs({ ...flags, catalog: [] }, terminal, flags.namespace);
  const inputs = { ...loaded, findings: withoutOwnFields(loaded.findings, loaded.objects.placements) };
  if (flags.against.length === 0) return { ...inputs, against: undefined, unread: [] };
  const { objects, findings, unreachable } = await loadObjects(flags.against, inputs.files, flags.namespace);
  const unread = unreadOf(inputs.objects, inputs.findings);
  // Of a path that is not there the code tells already.
  const isUnusable = unread.length > 0 && !inputs.codes.includes(EXIT.unreachable);
  const codes = [
    ...(unreachable.length > 0 ? [EXIT.unreachable] : []),
    ...(isUnusable || findings.some(isBroken) ? [EXIT.invalidInput] : []),
  ];
  return {
    ...inputs,
    findings: [...inputs.findings, ...findings, ...unreachable].sort(compareFindings),
    codes: [...inputs.codes, ...codes],
    against: codes.length === 0 && unread.length === 0 ? objects : undefined,
    unread,
  };
}

/** The Placements that are asked for, also those that only `--against` has; or why there is no answer. */
export function askedPlacements(
  words: readonly string[],
  { namespace, explain }: PlaceFlags,
  inputs: PlaceInputs,
): readonly PlacementName[] | Refusal {
  const { objects, against, codes } = inputs;
  const lost = lostObject(words, explain, objects) ?? lostText(words, namespace, explain, objects);
  if (lost !== undefined) return { message: lost, code: worstOf([...codes, EXIT.invalidInput]) };
  if (objects.placements.length === 0) return noPlacement(inputs);
  if (against !== undefined && FLEET_LISTS.every((list) => against[list].length === 0))
    return { message: "--against has no object that a placement depends on.", code: EXIT.usage };
  const gone = against === undefined ? [] : gonePlacements(objects, against);
  const chosen = chosenPlacements(words, namespace, [...objects.placements, ...gone]);
  if (typeof chosen === "string") return { message: chosen, code: EXIT.usage };
  const unknown = explain === undefined ? undefined : unknownCluster(explain, objects.managedClusters);
  return unknown === undefined ? chosen : { message: unknown, code: EXIT.usage };
}

/** What is named is there, but cannot be used: the command line is right, the input is not. */
function lostObject(
  words: readonly string[],
  explain: string | undefined,
  { rejected, placements, managedClusters }: ClusterObjects,
): string | undefined {
  for (const { kind, namespace, name } of rejected) {
    if (name === undefined) continue;
    if (kind === "ManagedCluster" && name === explain && !managedClusters.some((one) => one.name === name))
      return `ManagedCluster ${name} cannot be used as it is given; mend it first.`;
    if (kind !== "Placement") continue;
    const key = placementKey({ namespace: namespace ?? "", name });
    const isThere = placements.some((one) => one.name === name || placementKey(one) === key);
    if (words.includes(key) || (words.includes(name) && !isThere))
      return `Placement ${key} cannot be used as it is given; mend it first.`;
  }
  return undefined;
}

/** What is named is not there, and may be in what could not be read. */
function lostText(
  words: readonly string[],
  namespace: string | undefined,
  explain: string | undefined,
  { placements, managedClusters, lost }: ClusterObjects,
): string | undefined {
  if (placements.length === 0) return undefined;
  const maybe = (what: string, place: Place): string =>
    `${what} is not in what could be read, and may be in ${printPlace(place)}; mend it first.`;
  for (const word of words) {
    const isThere = placements.some((one) => one.name === word || placementKey(one) === word);
    const place = isThere ? undefined : placeOfLostKind(lost, "Placement", word.slice(word.indexOf("/") + 1));
    if (place !== undefined) return maybe(`Placement ${word}`, place);
  }
  if (words.length === 0 && namespace !== undefined && !placements.some((one) => one.namespace === namespace)) {
    const place = placeOfLostKind(lost, "Placement");
    if (place !== undefined) return maybe(`a Placement of the namespace ${namespace}`, place);
  }
  if (explain === undefined || managedClusters.some(({ name }) => name === explain)) return undefined;
  const place = placeOfLost(lost, explain);
  return place && maybe(`ManagedCluster ${explain}`, place);
}

/** The command line is wrong, unless Placements may be in what could not be read. */
function noPlacement({ findings, codes }: PlaceInputs): Refusal {
  if (!findings.some(isUnread))
    return { message: "no Placement is given with -f; name the file that has it, too.", code: EXIT.usage };
  const message = "no Placement is left of what could be read; mend the input.";
  return { message, code: codes.length === 0 ? EXIT.invalidInput : worstOf(codes) };
}
