// How is a part of an answer said in English? Sentences for programs that show single parts; `render` prints whole answers.

import { findingText as printFinding } from "../render/finding/finding-text.ts";
import { makeStyle } from "../render/kit/style.ts";
import { bodyText } from "../render/sentence/explanation-body.ts";
import { byVersion } from "../render/sentence/names.ts";
import { warningText as printWarning } from "../render/sentence/warning.ts";
import type { Explanation } from "../resolve/resolution.ts";
import type { Warning } from "../resolve/warning.ts";
import type { InputFinding } from "./exact-places.ts";

export { fixText } from "../render/sentence/fix.ts";
export { clusterReasonText } from "../render/sentence/placement-reason.ts";

/** Why something is not possible: the steps of the explanation, one a line. */
export function explanationText(explanation: Explanation): string {
  return bodyText(explanation, byVersion);
}

/** A finding about the input: what is wrong, its line with a caret, and what to do. */
export function findingText({ position, ...finding }: InputFinding): string {
  return printFinding({ finding, spot: position }, makeStyle(false));
}

/** A warning, in one sentence without a full stop. */
export function warningText(warning: Warning): string {
  return printWarning(warning, byVersion);
}
