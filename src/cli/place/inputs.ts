// Which objects does `place` read, and which Placements are named? Loads the files of `-f` and `--against`.

import { FLEET_QUESTION } from "../../live/questions.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { compareFindings } from "../../model/finding.ts";
import { choosePlacements, type NoChoice } from "../../placement/choose-placements.ts";
import { gonePlacements, isWithoutFleet } from "../../placement/compare/changes-since.ts";
import { isUnread, type UnreadInput, unreadInput } from "../../placement/missing-input.ts";
import { withoutOwnFields } from "../../placement/placement-findings.ts";
import type { PlacementName } from "../../placement/placement-name.ts";
import { noChoiceText } from "../../render/placement/choice-text.ts";
import { loadObjects } from "../../source/load-objects.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { type Inputs, isBroken, loadInputs } from "../inputs.ts";
import type { Terminal } from "../terminal.ts";
import type { PlaceFlags } from "./options.ts";

/** Everything that was loaded. */
export interface PlaceInputs extends Pick<Inputs, "objects" | "findings" | "codes" | "files" | "missingCluster"> {
  /** The objects of `--against`, if it was given and could be read. */
  readonly against: ClusterObjects | undefined;
  /** Input of `-f` that could not be read; then nothing is compared with `--against`. */
  readonly unread: readonly UnreadInput[];
}

/** Why there is no answer. */
export interface Refusal {
  readonly message: string;
  readonly code: ExitCode;
}

/** Loads all inputs. If an object that a placement depends on is broken, nothing is compared: it would look deleted. */
export async function loadPlaceInputs(flags: PlaceFlags, terminal: Terminal): Promise<PlaceInputs> {
  const loaded = await loadInputs({ ...flags, catalog: [] }, terminal, {
    namespace: flags.namespace,
    isClusterDefault: true,
    cluster: () => FLEET_QUESTION,
  });
  const inputs = { ...loaded, findings: withoutOwnFields(loaded.findings, loaded.objects.placements) };
  if (flags.against.length === 0) return { ...inputs, against: undefined, unread: [] };
  const { objects, findings, unreachable } = await loadObjects(flags.against, inputs.files, flags.namespace);
  const unread = unreadInput(inputs.objects, inputs.findings);
  // A missing path has its own exit code.
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

/** The named Placements, including those that only `--against` has; or why there is no answer. */
export function askedPlacements(
  names: readonly string[],
  { namespace, explain }: PlaceFlags,
  { objects, against, findings, codes, missingCluster }: PlaceInputs,
): readonly PlacementName[] | Refusal {
  if (missingCluster !== undefined)
    return {
      message: `no input, and no cluster to read: ${missingCluster}; give Placements, clusters and cluster sets: plimsoll place -f fleet/`,
      code: EXIT.usage,
    };
  const gone = against === undefined ? [] : gonePlacements(objects, against);
  const choice = choosePlacements({ names, namespace, cluster: explain }, objects, gone, findings.some(isUnread));
  if (choice.kind !== "chosen") return { message: noChoiceText(choice), code: codeOf(choice, codes) };
  if (against !== undefined && isWithoutFleet(against))
    return { message: "--against has no object that a placement depends on.", code: EXIT.usage };
  return choice.placements;
}

/** What is named and does not exist is a "no", unless it was given and could not be read. */
function codeOf(choice: NoChoice, codes: readonly ExitCode[]): ExitCode {
  switch (choice.kind) {
    case "rejected":
    case "unread":
      return worstOf([...codes, EXIT.invalidInput]);
    case "none":
      if (!choice.mayBeUnread) return EXIT.usage;
      return codes.length === 0 ? EXIT.invalidInput : worstOf(codes);
    case "unknown-namespace":
    case "unknown-placement":
    case "unknown-cluster":
      return EXIT.no;
    case "ambiguous":
      return EXIT.usage;
  }
}
