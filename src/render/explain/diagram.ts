// How does the answer follow, as a picture? Facts at the bottom, arrows from them to what follows, up to the answer. Or who
// needs whom, where that is asked.

import type { Cause } from "../../resolve/explain/cause.ts";
import type { Case, Conclusion, Derivation } from "../../resolve/explain/derivation.ts";
import { membersText } from "../../resolve/explain/version-runs.ts";
import type { NeedingOperator } from "../../resolve/explain/who-needs.ts";
import type { Explanation } from "../../resolve/resolution.ts";
import type { Diagram, DiagramArrow, DiagramBox } from "../diagram.ts";
import { asksForIt } from "../sentence/asker.ts";
import { throughText } from "../sentence/needs.ts";
import { needingName } from "./needs-tree.ts";
import { neededPackage, type ShownExplanation, subjectText } from "./shown.ts";
import { summaryOf } from "./summary.ts";

/** The picture of an explanation. */
export function explanationDiagram(shown: ShownExplanation): Diagram {
  const { told, at } = shown;
  if (told.loss !== undefined)
    return needsDiagram(told.verdict === "replaced" ? neededPackage(told) : subjectText(told), told.whoNeeds);
  const { explanation } = told;
  const facts = explanation.facts.map(({ text, place }, index) => ({
    id: `f${index}`,
    label: place === undefined ? text : `${text} (${at(place)})`,
    form: "plain" as const,
  }));
  const conclusions: DiagramBox[] = [{ id: "answer", label: summaryOf(shown), form: "strong" }];
  const arrows: DiagramArrow[] = [];
  if (explanation.derivation === undefined)
    for (const { id } of facts) arrows.push({ from: id, to: "answer", line: "solid" });
  else drawDerivation(explanation.derivation, explanation, conclusions, arrows);
  return {
    groups: [
      { label: "facts", boxes: facts },
      { label: "what follows", boxes: conclusions },
    ],
    arrows,
  };
}

/** A derivation that is still to be drawn; beneath a case, the box of the case. */
interface Waiting {
  readonly derivation: Derivation;
  /** The boxes of the steps before it, by their place. */
  readonly before: readonly string[];
  readonly supposed: string | undefined;
}

function drawDerivation(
  derivation: Derivation,
  { causes }: Explanation,
  boxes: DiagramBox[],
  arrows: DiagramArrow[],
): void {
  const factOf = new Map<Cause, string>(causes.map((cause, index) => [cause, `f${index}`]));
  const waiting: Waiting[] = [{ derivation, before: [], supposed: undefined }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const places = [...next.before];
    for (const [index, step] of next.derivation.steps.entries()) {
      const isEnd = step.conclusion.kind === "impossible";
      const id = isEnd ? "answer" : `s${boxes.length}`;
      if (!isEnd) boxes.push({ id, label: conclusionText(step.conclusion), form: "plain" });
      const from = [
        ...step.causes.flatMap((cause) => factOf.get(cause) ?? []),
        ...step.after.flatMap((place) => places[place] ?? []),
        ...(index === 0 && next.supposed !== undefined ? [next.supposed] : []),
      ];
      for (const one of new Set(from)) arrows.push({ from: one, to: id, line: "solid" });
      places.push(id);
    }
    for (const one of next.derivation.cases) waiting.push(caseOf(one, places, boxes, arrows));
  }
}

function caseOf(
  { members, derivation }: Case,
  places: readonly string[],
  boxes: DiagramBox[],
  arrows: DiagramArrow[],
): Waiting {
  const id = `s${boxes.length}`;
  boxes.push({ id, label: `suppose it is ${membersText(members, { word: "or" })}`, form: "weak" });
  const last = places.at(-1);
  if (last !== undefined) arrows.push({ from: last, to: id, line: "dashed" });
  return { derivation, before: places, supposed: id };
}

function conclusionText(conclusion: Conclusion): string {
  switch (conclusion.kind) {
    case "one-of":
      return conclusion.members.length === 1
        ? `${membersText(conclusion.members)} is needed`
        : `one of ${membersText(conclusion.members, { word: "or", whole: "runs" })} is needed`;
    case "none-of":
      return `not possible: ${membersText(conclusion.members)}`;
    case "impossible":
      return "not possible";
  }
}

function needsDiagram(subject: string, whoNeeds: readonly NeedingOperator[]): Diagram {
  const boxes: DiagramBox[] = [{ id: "o0", label: subject, form: "strong" }];
  const ids = new Map<string, string>();
  const arrows: DiagramArrow[] = [];
  const waiting = whoNeeds.map((one) => ({ one, provider: "o0" }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { one, provider } = next;
    const name = one.namespace === undefined ? needingName(one) : `${one.namespace}/${needingName(one)}`;
    const id = ids.get(name) ?? `o${boxes.length}`;
    if (!ids.has(name)) {
      ids.set(name, id);
      const asked = one.request === undefined ? "" : ` (${asksForIt(one.request)})`;
      boxes.push({ id, label: `${name}${asked}`, form: one.request === undefined ? "plain" : "strong" });
    }
    const line = one.isWish ? "dashed" : "solid";
    arrows.push({ from: id, to: provider, line, label: throughText(one) });
    waiting.push(...one.neededBy.map((other) => ({ one: other, provider: id })));
  }
  return { groups: [{ label: `who needs ${subject}`, boxes }], arrows };
}
