// Where is it written, and what is it that stands there? The places of the facts of an explanation.

import type { Place } from "../../model/place.ts";
import type { Cause, Refused } from "../../resolve/explain/cause.ts";
import { memberText } from "../../resolve/explain/version-runs.ts";
import type { Self } from "../../resolve/member.ts";
import type { Fact } from "../../resolve/resolution.ts";
import { displayWidth, padEnd } from "../display-width.ts";
import { safeText } from "../safe-text.ts";
import type { Style } from "../style.ts";

/** Facts, and what each of them means, in the same order; nothing where that is not known. */
export interface Sourced {
  readonly facts: readonly Fact[];
  readonly causes: readonly Cause[];
}

/** A line for each place, each once: the file, the line and the column, and what stands there. */
export function sourceLines(all: readonly Sourced[], at: (place: Place) => string, style: Style): string[] {
  const lines = new Map<string, { readonly where: string; readonly what: string }>();
  for (const { facts, causes } of all)
    for (const [index, fact] of facts.entries()) {
      if (fact.place === undefined) continue;
      const where = safeText(`${at(fact.place)}${isPacked(fact.place) ? " (line after unpacking)" : ""}`);
      const what = safeText(whatIs(fact, causes[index]));
      lines.set(`${where}\n${what}`, { where, what });
    }
  const width = Math.max(0, ...[...lines.values()].map(({ where }) => displayWidth(where)));
  return [...lines.values()].map(({ where, what }) => `${padEnd(where, width)}  ${style.dim(what)}`);
}

function isPacked({ source }: Place): boolean {
  return source.endsWith(".gz");
}

/** "Subscription cargo/lading", "shore-watch 1.4.0 in catalog harbour", "runtime constraint 3". */
function whatIs({ rule, subject }: Fact, cause: Cause | undefined): string {
  switch (cause?.kind) {
    case "stays":
    case "stay-or-move":
      return memberOf(cause.installed);
    case "demand":
      return memberOf(cause.demands[0]?.member) ?? subject;
    case "refusal":
      return refusedBy(cause.refused[0]) ?? subject;
    default:
      return rule === "subscription" ? `Subscription ${subject}` : subject;
  }
}

function refusedBy(refused: Refused | undefined): string | undefined {
  const detail = refused?.refusal.detail;
  if (detail?.rule === "runtime-constraint" && detail.why === "refused") return `runtime constraint ${detail.number}`;
  return memberOf(refused?.member);
}

function memberOf(self: Self): string;
function memberOf(self: Self | undefined): string | undefined;
function memberOf(self: Self | undefined): string | undefined {
  if (self === undefined) return undefined;
  if ("bundle" in self) return `${memberText(self)} in catalog ${self.index.catalog.name}`;
  return `${memberText(self)}, running`;
}
