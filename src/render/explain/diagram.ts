// How does the answer follow, as a diagram? Facts at the bottom, arrows to what follows from them, up to the answer. With
// `--who-needs`, which operators need which.

import type { Case, Conclusion, Proof } from "../../resolve/explain/fact.ts";
import type { NeedingOperator } from "../../resolve/explain/who-needs.ts";
import { byKind } from "../kit/by-kind.ts";
import type { Diagram, DiagramArrow, DiagramBox } from "../kit/diagram.ts";
import { factTexts } from "../sentence/fact.ts";
import { byVersion, qualified } from "../sentence/names.ts";
import { throughText } from "../sentence/needs.ts";
import { OperatorWords } from "../sentence/operators.ts";
import { asksForIt } from "../sentence/request.ts";
import { neededPackage, type ShownExplanation, subjectText } from "./shown.ts";
import { summaryOf } from "./summary.ts";

export function explanationDiagram(shown: ShownExplanation): Diagram {
  const { answer, at } = shown;
  if (answer.loss !== undefined)
    return needsDiagram(answer.verdict === "replaced" ? neededPackage(answer) : subjectText(answer), answer.whoNeeds);
  const { explanation } = answer;
  const texts = factTexts(explanation, byVersion);
  const facts = explanation.facts.map(({ place }, index) => ({
    id: `f${index}`,
    label: `${texts[index]}${place === undefined ? "" : ` (${at(place)})`}`,
    form: "plain" as const,
  }));
  const conclusions: DiagramBox[] = [{ id: "answer", label: summaryOf(shown), form: "strong" }];
  const arrows: DiagramArrow[] = [];
  if (explanation.body.kind === "proof")
    drawProof(explanation.body.proof, new OperatorWords(explanation), conclusions, arrows);
  else for (const { id } of facts) arrows.push({ from: id, to: "answer", line: "solid" });
  return {
    groups: [
      { label: "facts", boxes: facts },
      { label: "what follows", boxes: conclusions },
    ],
    arrows,
  };
}

/** A proof that is still to be drawn; within a case, the box of the case. */
interface Waiting {
  readonly proof: Proof;
  /** The boxes of the steps before it, by their place. */
  readonly before: readonly string[];
  readonly supposed: string | undefined;
}

function drawProof(proof: Proof, words: OperatorWords, boxes: DiagramBox[], arrows: DiagramArrow[]): void {
  const waiting: Waiting[] = [{ proof, before: [], supposed: undefined }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const places = [...next.before];
    for (const [index, step] of next.proof.steps.entries()) {
      const isEnd = step.conclusion.kind === "impossible";
      const id = isEnd ? "answer" : `s${boxes.length}`;
      if (!isEnd) boxes.push({ id, label: conclusionText(step.conclusion, words), form: "plain" });
      const from = [
        ...step.facts.map((fact) => `f${fact}`),
        ...step.after.flatMap((place) => places[place] ?? []),
        ...(index === 0 && next.supposed !== undefined ? [next.supposed] : []),
      ];
      for (const one of new Set(from)) arrows.push({ from: one, to: id, line: "solid" });
      places.push(id);
    }
    for (const one of next.proof.cases) waiting.push(caseOf(one, words, places, boxes, arrows));
  }
}

function caseOf(
  { members, proof }: Case,
  words: OperatorWords,
  places: readonly string[],
  boxes: DiagramBox[],
  arrows: DiagramArrow[],
): Waiting {
  const id = `s${boxes.length}`;
  boxes.push({ id, label: `suppose it is ${words.several(members, { word: "or" })}`, form: "weak" });
  const last = places.at(-1);
  if (last !== undefined) arrows.push({ from: last, to: id, line: "dashed" });
  return { proof, before: places, supposed: id };
}

const conclusionText: (conclusion: Conclusion, words: OperatorWords) => string = byKind({
  "one-of": (conclusion, words) =>
    conclusion.members.length === 1
      ? `${words.several(conclusion.members)} is needed`
      : `one of ${words.several(conclusion.members, { word: "or", whole: "runs" })} is needed`,
  "none-of": (conclusion, words) => `not possible: ${words.several(conclusion.members)}`,
  impossible: () => "not possible",
});

function needsDiagram(subject: string, whoNeeds: readonly NeedingOperator[]): Diagram {
  const boxes: DiagramBox[] = [{ id: "o0", label: subject, form: "strong" }];
  const ids = new Map<string, string>();
  const arrows: DiagramArrow[] = [];
  const waiting = whoNeeds.map((one) => ({ one, provider: "o0" }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { one, provider } = next;
    const name = qualified(one.namespace, byVersion(one));
    const id = ids.get(name) ?? `o${boxes.length}`;
    if (!ids.has(name)) {
      ids.set(name, id);
      const asked = one.request === undefined ? "" : ` (${asksForIt(one.request)})`;
      boxes.push({ id, label: `${name}${asked}`, form: one.request === undefined ? "plain" : "strong" });
    }
    const line = one.isOptional ? "dashed" : "solid";
    arrows.push({ from: id, to: provider, line, label: throughText(one) });
    waiting.push(...one.neededBy.map((other) => ({ one: other, provider: id })));
  }
  return { groups: [{ label: `who needs ${subject}`, boxes }], arrows };
}
