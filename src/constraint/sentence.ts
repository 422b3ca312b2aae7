// What does a constraint demand, in a few English words?

import type { Gvk } from "../model/catalog.ts";
import { canonicalText } from "../model/json.ts";
import type { CompoundConstraint, Constraint } from "./constraint.ts";

/** Texts of authors are cut here. */
const LONGEST = 160;
/** No more than this many parts of a compound are listed. */
const MOST_PARTS = 6;
/** No more than this many levels of a compound are written out. */
const DEEPEST = 3;
/** No more than this many messages of one constraint are repeated. */
const MOST_MESSAGES = 5;

/** Who or what the constraint asks for: "an operator that provides Etcd (etcd.example.com/v1)". */
export function sentence(constraint: Constraint): string {
  return phrase(constraint, 1);
}

function phrase(constraint: Constraint, level: number): string {
  switch (constraint.kind) {
    case "gvk":
      return `an operator that provides ${apiName(constraint.gvk)}`;
    case "package":
      return `package ${shortened(constraint.name)} in range ${shortened(constraint.range.text)}`;
    case "label":
      return `an operator with the label ${shortened(constraint.label)}`;
    case "cel":
      return `an operator for which the rule ${shortened(constraint.rule)} is true`;
    case "propertyEquals":
      return `an operator whose property ${shortened(constraint.name)} is ${shortened(canonicalText(constraint.value))}`;
    default:
      return constraint.scope === "bundle" && level === 1
        ? `one single operator that is ${compound(constraint, level)}`
        : compound(constraint, level);
  }
}

const JOINED: Readonly<Record<CompoundConstraint["kind"], string>> = {
  all: "all of",
  any: "any of",
  none: "none of",
};

function compound({ kind, constraints }: CompoundConstraint, level: number): string {
  if (constraints.length === 0) return `${JOINED[kind]} nothing`;
  if (level > DEEPEST) return `${JOINED[kind]} ${constraints.length} constraints`;
  const parts = constraints.slice(0, MOST_PARTS).map((part) => phrase(part, level + 1));
  const rest = constraints.length - parts.length;
  return `${JOINED[kind]} [${parts.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}]`;
}

/** An API as people write it: `Etcd (etcd.example.com/v1)`. */
export function apiName({ group, version, kind }: Gvk): string {
  return `${kind} (${group === "" ? version : `${group}/${version}`})`;
}

/** The authors' words in a constraint, the outermost first, each once. */
function messagesIn(constraint: Constraint): readonly string[] {
  const messages = new Set<string>();
  const open: Constraint[] = [constraint];
  for (let next = 0; next < open.length && messages.size < MOST_MESSAGES; next++) {
    const part = open[next] as Constraint;
    if (part.message !== undefined) messages.add(shortened(part.message));
    if ("constraints" in part) for (const child of part.constraints) open.push(child);
  }
  return [...messages];
}

/** A sentence, followed by what whoever wrote the constraint says about it. */
export function withMessages(
  text: string,
  constraint: Constraint,
  writer: "author" | "administrator" = "author",
): string {
  const messages = messagesIn(constraint);
  return messages.length === 0 ? text : `${text} (the ${writer} says: ${messages.join(" / ")})`;
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
