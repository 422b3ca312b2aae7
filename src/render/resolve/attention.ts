// What does an answer contain that a plain list of operators does not show? One line for the formats that have no room for it:
// how many requests were not satisfied, and where to read why.

import type { Resolution } from "../../resolve/resolution.ts";
import { counted, listed } from "../../text/words.ts";
import { safeText } from "../kit/safe-text.ts";
import { qualified } from "../sentence/names.ts";
import { brokenSubject } from "../sentence/rule.ts";
import { heldBackOnly } from "./sections.ts";

/** The formats that show everything themselves. */
export const COMPLETE_FORMATS: ReadonlySet<string> = new Set(["text", "wide", "json", "yaml"]);

/** How many names of a kind are listed in the line. */
const MAX_NAMES = 4;

/** "1 request is refused: default/gantry; -o text says why"; empty if the format shows everything or nothing is left to report. */
export function attentionSentence(resolutions: readonly Resolution[], output: string): string | undefined {
  if (COMPLETE_FORMATS.has(output)) return undefined;
  const unsatisfied = resolutions.flatMap((resolution) => resolution.unsatisfied);
  const ids = (isUndecided: boolean): readonly string[] =>
    unsatisfied.filter(({ undecided }) => undecided === isUndecided).map(({ request }) => request.id);
  const held = resolutions.flatMap((resolution) =>
    heldBackOnly(resolution).map((one) => qualified(resolution.namespace, one.package)),
  );
  const waiting = resolutions.flatMap(({ pendingApproval }) =>
    pendingApproval.flatMap(({ requests }) => requests.map(({ id }) => id)),
  );
  const broken = resolutions.flatMap((resolution) =>
    resolution.broken.map((rule) => qualified(resolution.namespace, brokenSubject(rule))),
  );
  const parts = [
    ...partText(ids(false), "request is refused", "requests are refused"),
    ...partText(ids(true), "request is undecided", "requests are undecided"),
    ...partText(held, "operator is held back", "operators are held back"),
    ...partText(waiting, "request waits for approval", "requests wait for approval"),
    ...partText(broken, "requirement is broken", "requirements are broken"),
  ];
  return parts.length === 0 ? undefined : safeText(`${parts.join("; ")}; -o text says why`);
}

function partText(names: readonly string[], one: string, several: string): readonly string[] {
  return names.length === 0 ? [] : [`${counted(names.length, one, several)}: ${listed(names, MAX_NAMES)}`];
}
