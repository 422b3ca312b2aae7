// Where do the facts of an explanation come from? Their places in the input, and what is defined there.

import type { OperatorRef } from "../../model/operator-ref.ts";
import type { Place } from "../../model/place.ts";
import type { Fact, Facts, RefusalFact } from "../../resolve/explain/fact.ts";
import { padEnd, widestOf } from "../kit/display-width.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { byVersion } from "../sentence/names.ts";
import { objectText } from "../sentence/request.ts";

export interface Source {
  readonly place: Place;
  readonly what: string;
}

/** A line for each distinct place: file, line and column, and what is defined there. */
export function sourceLines(all: readonly Source[], at: (place: Place) => string, style: Style): string[] {
  const lines = new Map<string, { readonly where: string; readonly what: string }>();
  for (const { place, what } of all) {
    const line = {
      where: safeText(`${at(place)}${place.source.endsWith(".gz") ? " (line after unpacking)" : ""}`),
      what: safeText(what),
    };
    lines.set(JSON.stringify(line), line);
  }
  const width = widestOf([...lines.values()].map(({ where }) => where));
  return [...lines.values()].map(({ where, what }) => `${padEnd(where, width)}  ${style.dim(what)}`);
}

export function sourcesOf({ facts, operators }: Pick<Facts, "facts" | "operators">): readonly Source[] {
  return facts.flatMap((fact) =>
    fact.place === undefined ? [] : [{ place: fact.place, what: whatIs(fact, operators) }],
  );
}

/** "Subscription cargo/lading", "shore-watch 1.4.0 in catalog harbour", "runtime constraint 3". */
function whatIs(fact: Fact, operators: Facts["operators"]): string {
  const nameOf = (member: number | undefined): string => {
    const operator = member === undefined ? undefined : operators[member];
    return operator === undefined ? fact.subject : operatorSource(operator);
  };
  switch (fact.kind) {
    case "stays":
    case "stay-or-move":
      return nameOf(fact.installed);
    case "demand":
      return nameOf(fact.demands[0]?.member);
    case "refusal":
      return refusedBy(fact) ?? nameOf(fact.refused[0]?.member);
    default:
      return fact.rule === "subscription"
        ? "request" in fact && fact.request !== undefined
          ? objectText(fact.request)
          : `Subscription ${fact.subject}`
        : fact.subject;
  }
}

function refusedBy({ refused: [first] }: RefusalFact): string | undefined {
  const detail = first?.detail;
  return detail?.rule === "runtime-constraint" && detail.why === "refused"
    ? `runtime constraint ${detail.number}`
    : undefined;
}

/** "shore-watch 1.4.0 in catalog harbour", "shore-watch 1.4.0, running". */
export function operatorSource(operator: OperatorRef): string {
  const { catalog } = operator;
  return `${byVersion(operator)}${catalog === undefined ? ", running" : ` in catalog ${catalog.name}`}`;
}
