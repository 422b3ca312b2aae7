// Why is there nothing that a request could be given?

import type { NoCandidatesFact } from "../../resolve/explain/fact.ts";
import { enumerated } from "../../text/words.ts";
import type { OperatorWords } from "./operators.ts";
import { requestedText } from "./request.ts";
import { olmText, sourceText } from "./source.ts";

/** Why, and what exists instead; then OLM's own message, if it is requested. */
export function noCandidatesTexts(fact: NoCandidatesFact, words: OperatorWords): readonly string[] {
  const { request, none, isCompat } = fact;
  const olm = isCompat ? olmText(request, none) : undefined;
  return [reasonText(fact, words), ...(olm === undefined ? [] : [`OLM: "${olm}"`])];
}

function reasonText(
  { request, none, known, offered, isCatalogMissing }: NoCandidatesFact,
  words: OperatorWords,
): string {
  const source = sourceText(none, request);
  switch (none.kind) {
    case "no-catalog":
      return `${source}${insteadText(known.length > 1 ? "there are" : "there is", known)}`;
    case "no-package":
      return request.catalog === undefined && request.extension?.catalogs === undefined && isCatalogMissing
        ? `no catalog that is available has a package ${request.package}`
        : source;
    case "no-channel":
      return `${source}${insteadText("it has", known)}`;
    case "no-start":
      return `there is no ${request.startingCSV} for ${requestedText(request)}`;
    case "no-version": {
      const offer = offered.length === 0 ? "" : `; on offer is ${words.several(offered, { whole: "runs" })}`;
      return `no bundle matches ${requestedText(request)}${offer}`;
    }
    case "no-successor":
      return `no upgrade edge leads from ${request.installed} to ${requestedText(request)}`;
    case "no-update":
      return `there is no update for ${requestedText(request)}`;
    default:
      return source;
  }
}

function insteadText(what: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `; ${what} ${enumerated(names)}`;
}
