// Why is an operator installed, in sentences? The request for it, or for the operator that needs it, and the requirements in
// between.

import { isMadeByOlm, type RequestRef } from "../../model/operator-ref.ts";
import type { ChosenNeed, ChosenRoot } from "../../resolve/explain/why-chosen.ts";
import { byKind } from "../kit/by-kind.ts";
import { sentence } from "./constraint.ts";
import { byVersion } from "./names.ts";
import type { Line } from "./proof.ts";
import { merelyReason } from "./reason.ts";
import { objectText, requestedText } from "./request.ts";

/** A sentence for each part of the way, numbered if there are several. */
export function chosenLines(root: ChosenRoot, needs: readonly ChosenNeed[]): readonly Line[] {
  const texts = [rootText(root), ...needs.map(needText)];
  const isOne = texts.length === 1;
  return texts.map((text, index) => ({ indent: 0, ...(!isOne && { number: index + 1 }), text: `${text}.` }));
}

function rootText({ operator, reason, request, installed }: ChosenRoot): string {
  const name = byVersion(operator);
  const why = reason === undefined ? "" : merelyReason({ package: operator.package ?? "", reason });
  const isBundle = operator.catalog !== undefined;
  if (request === undefined) return isBundle ? `${name}: ${why}` : `${name} runs and ${why}`;
  const asked = askingText(request);
  if (installed === undefined) return `${asked}; ${name} is ${why}`;
  return `${asked}; ${isBundle ? `${byVersion(installed)} goes to ${name}, ${why}` : `${name} runs and ${why}`}`;
}

/** What a request asks for, as the beginning of a sentence. */
function askingText(request: RequestRef): string {
  if (request.place === undefined) return `You asked for ${requestedText(request)}`;
  const who = isMadeByOlm(request)
    ? `The Subscription that OLM made for ${request.package} (${request.id})`
    : objectText(request);
  return `${who} asks for ${requestedText(request)}`;
}

function needText({ requirer, demanded, isOptional, provider, why }: ChosenNeed): string {
  const needed = `${byVersion(requirer)} ${isOptional ? "would like" : "requires"} ${sentence(demanded)}`;
  return `${needed}; ${byVersion(provider)} ${whyText(why)}`;
}

const whyText: (why: ChosenNeed["why"]) => string = byKind({
  only: () => "is the only one that can be chosen for that",
  runs: () => "already runs",
  first: (why) => `is the preferred one of ${why.of} matching bundles`,
  best: (why) => `is, of ${why.of} matching bundles, the best that goes with the rest`,
});
