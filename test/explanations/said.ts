// What does an explanation say? For tests of what is found, that are about its words.

import { bodyText } from "../../src/render/sentence/explanation-body.ts";
import type { ExplanationBody } from "../../src/resolve/explain/explanation-body.ts";
import type { Explanation } from "../../src/resolve/resolution.ts";

/** The whole prose of an explanation; nothing without one. */
export function said(explanation: Explanation): string;
export function said(explanation: Explanation | undefined): string | undefined;
export function said(explanation: Explanation | undefined): string | undefined {
  return explanation && bodyText(explanation);
}

/** An explanation with this body, and nothing else unless given. */
export function telling(body: ExplanationBody, more: Partial<Explanation> = {}): Explanation {
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
