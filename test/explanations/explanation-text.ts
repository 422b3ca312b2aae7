// The text of an explanation, for tests that are about its wording.

import { bodyText } from "../../src/render/sentence/explanation-body.ts";
import type { ExplanationBody } from "../../src/resolve/explain/explanation-body.ts";
import type { Explanation } from "../../src/resolve/resolution.ts";

/** The whole prose of an explanation; nothing without one. */
export function explanationText(explanation: Explanation): string;
export function explanationText(explanation: Explanation | undefined): string | undefined;
export function explanationText(explanation: Explanation | undefined): string | undefined {
  return explanation && bodyText(explanation);
}

/** An explanation with this body, and nothing else unless given. */
export function explanationWith(body: ExplanationBody, more: Partial<Explanation> = {}): Explanation {
  return {
    operators: [],
    offers: [],
    facts: [],
    body,
    notes: [],
    isMinimal: true,
    fixes: [],
    ...more,
  };
}
