// What does an explanation say? For tests of what is found, that are about its words.

import { storyText } from "../../src/render/sentence/story.ts";
import type { Story } from "../../src/resolve/explain/story.ts";
import type { Explanation } from "../../src/resolve/resolution.ts";

/** The whole prose of an explanation; nothing without one. */
export function said(explanation: Explanation): string;
export function said(explanation: Explanation | undefined): string | undefined;
export function said(explanation: Explanation | undefined): string | undefined {
  return explanation && storyText(explanation);
}

/** An explanation that tells this, with nothing else to it unless more is said. */
export function telling(story: Story, more: Partial<Explanation> = {}): Explanation {
  return {
    operators: [],
    offers: [],
    facts: [],
    story,
    notes: [],
    isMinimal: true,
    fixes: [],
    ...more,
  };
}
