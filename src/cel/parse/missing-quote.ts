// Was a closing quote forgotten inside a list of arguments: `score("default, "cpuAvailable")`?
import { IssueList } from "../issue.ts";
import type { Range } from "../value/value.ts";
import { readTokens } from "./lexer.ts";

const MAX_TRIED = 3;
const MAX_SHOWN_LENGTH = 200;

/** A text that was repaired, and the string whose closing quote was missing. */
interface Repaired extends Range {
  readonly text: string;
}

/** The text with the quote put where it is missing, if that makes it right. `isRight` says whether a text has no mistakes. */
export function withMissingQuote(text: string, isRight: (text: string) => boolean): Repaired | undefined {
  if (text.length > MAX_SHOWN_LENGTH) return undefined;
  const tokens = readTokens(text, new IssueList(text));
  const suspects = tokens.filter((token, index) => {
    const next = tokens[index + 1];
    return typeof token.value === "string" && next?.kind === "name" && next.start === token.end;
  });
  for (const { start, text: opening } of suspects.slice(0, MAX_TRIED)) {
    const comma = text.indexOf(",", start);
    const quote = opening.at(-1) as string;
    const repaired = comma === -1 ? text : text.slice(0, comma) + quote + text.slice(comma);
    if (repaired !== text && isRight(repaired)) return { text: repaired, start, end: comma };
  }
  return undefined;
}
