// What does a constraint demand, in a few English words?

import { negated } from "../../constraint/negation.ts";
import type { CompoundOutline, LeafOutline, Outline } from "../../constraint/outline.ts";
import { platformOf, type RequiredVersion } from "../../constraint/version-rule.ts";
import type { Gvk } from "../../model/catalog.ts";
import type { RangeOutline } from "../../semver/blang-range.ts";
import { enumerated, shortened } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";

/** No more than this many parts of a compound are listed, and of a compound within it. */
const MAX_PARTS = 6;
const MAX_PARTS_WITHIN = 3;
/** No more than this many levels of a compound are written out. */
const MAX_DEPTH = 3;
/** No more than this many messages of one constraint are repeated. */
const MAX_MESSAGES = 5;

/**
 * The place of a phrase in its sentence:
 * - `needed`, behind "requires": the API Etcd (etcd.example.com/v1)
 * - `who`: an operator that provides Etcd (etcd.example.com/v1)
 * - `noun`, behind "no": operator that provides Etcd (etcd.example.com/v1)
 * - `does`, behind "an operator that": provides Etcd (etcd.example.com/v1)
 */
type Voice = "needed" | "who" | "noun" | "does";

/** What the constraint requires, as the object of "requires": "the API Etcd (etcd.example.com/v1)". */
export function sentence(constraint: Outline): string {
  return phrase(constraint, "needed", 1);
}

/** The operators that satisfy the constraint: "an operator that provides Etcd (etcd.example.com/v1)". */
export function operatorText(constraint: Outline): string {
  return phrase(constraint, "who", 1);
}

/** The same after "no": "operator that provides Etcd (etcd.example.com/v1)". */
export function operatorNoun(constraint: Outline): string {
  return phrase(constraint, "noun", 1);
}

/** The operators, given by constraints, with which an operator cannot run: "beside x", or "without x". */
export function besideText(constraints: readonly Outline[]): string {
  const { once, twice } = negated(constraints, "solution");
  const [only, ...more] = once;
  const beside = more.length === 0 && only !== undefined ? operatorText(only) : listed("any", once, "who", 1);
  const texts = twice.map((parts) => `without ${listed("any", parts, "who", 1)}`);
  return (once.length === 0 && texts.length > 0 ? texts : [`beside ${beside}`, ...texts]).join(" or ");
}

/** The text of a rule that cannot be paraphrased, to be appended to the sentence. */
export function ruleOf(constraint: Outline): string | undefined {
  if (constraint.kind !== "cel" || constraint.version !== undefined) return undefined;
  return constraint.property === undefined ? shortened(constraint.rule) : undefined;
}

function phrase(constraint: Outline, voice: Voice, level: number): string {
  if (!("constraints" in constraint)) return leaf(constraint, voice, level);
  const { constraints, scope } = constraint;
  const isOne = scope === "bundle" && level === 1 && voice !== "does" && constraints.length > 0;
  if (isOne)
    return `${voice === "needed" ? "one operator" : operatorAs(voice)} that ${compound(constraint, "does", level)}`;
  return compound(constraint, voice, level);
}

function operatorAs(voice: Voice): string {
  return voice === "noun" ? "operator" : "an operator";
}

function compound({ kind, constraints, scope }: CompoundOutline, voice: Voice, level: number): string {
  if (kind !== "none" || level > MAX_DEPTH) return listed(kind, constraints, voice, level);
  const { once, twice } = negated(constraints, scope);
  const demanded = twice.map((parts) => {
    const text = listed("any", parts, voice, level);
    const whole = parts.length > 1 && twice.length + once.length > 1 ? `[${text}]` : text;
    // With scope `solution`, the operator with the requirement does not count itself.
    return scope === "solution" ? `${whole}, from another operator` : whole;
  });
  if (once.length === 0 && demanded.length > 0) return demanded.join(" and ");
  const [only] = once;
  const isWhole = once.length === 1 && only?.kind === "all" && only.scope === scope && only.constraints.length > 1;
  return [...demanded, isWhole ? notAll(only, voice, level) : listed("none", once, voice, level)].join(" and ");
}

/** Some of them, but not all together. */
function notAll({ constraints }: CompoundOutline, voice: Voice, level: number): string {
  const all = listed("all", constraints, voice === "does" ? "does" : "who", level);
  if (voice === "does") return `is not one that ${all}`;
  return `${constraints.length === 2 ? "not both" : "not all of"} ${all}`;
}

const leaf: (constraint: LeafOutline, voice: Voice, level: number) => string = byKind({
  gvk: (constraint, voice) => apiPhrase(apiName(constraint.gvk), voice),
  package: (constraint, voice) => `${voice === "does" ? "is " : ""}${packageText(constraint.name, constraint.range)}`,
  label: (constraint, voice) =>
    `${voice === "does" ? "has" : `${operatorAs(voice)} with`} the label ${shortened(constraint.label)}`,
  cel: rulePhrase,
  propertyEquals: (constraint, voice, level) => {
    const property = `the property ${shortened(constraint.name)} = ${shortened(constraint.value)}`;
    if (voice === "does") return `has ${property}`;
    if (voice !== "needed") return `${operatorAs(voice)} with ${property}`;
    return level === 1 ? `${property}, of an operator or of the cluster` : property;
  },
});

function apiPhrase(name: string, voice: Voice): string {
  if (voice === "needed") return `the API ${name}`;
  return voice === "does" ? `provides ${name}` : `${operatorAs(voice)} that provides ${name}`;
}

function rulePhrase(constraint: Extract<LeafOutline, { readonly kind: "cel" }>, voice: Voice): string {
  if (constraint.version !== undefined) {
    const version = shortened(versionPhrase(constraint.version));
    return voice === "needed"
      ? version
      : `${voice === "does" ? "is " : ""}${voice === "noun" ? "" : "a "}cluster with ${version}`;
  }
  const { property } = constraint;
  if (property === undefined)
    return `${voice === "does" ? "" : `${operatorAs(voice)} that `}meets the rule ${shortened(constraint.rule)}`;
  const { type, value } = property;
  const said = `the property ${shortened(type)}${value === undefined ? "" : ` = ${shortened(value)}`}`;
  return `${voice === "does" ? "has" : `${operatorAs(voice)} with`} ${said}`;
}

/** The words for a version of the cluster: "Kubernetes 1.30.0 or newer". */
function versionPhrase({ type, bound, text }: RequiredVersion): string {
  const platform = platformOf(type) ?? type;
  if (bound === "exactly") return `${platform} ${text}`;
  return bound === "or newer" || bound === "or older" ? `${platform} ${text} ${bound}` : `${platform} ${bound} ${text}`;
}

const WORDS: Readonly<Record<CompoundOutline["kind"], string>> = { all: "and", any: "or", none: "nor" };

function listed(kind: CompoundOutline["kind"], constraints: readonly Outline[], voice: Voice, level: number): string {
  if (constraints.length === 0) return `${kind} of nothing`;
  if (level > MAX_DEPTH) return `${kind} of ${constraints.length} constraints`;
  const texts = partTexts(kind, constraints, kind === "none" ? "who" : voice, level);
  const is = voice === "does" ? "is " : "";
  if (texts.length === 1)
    return kind === "none" ? `${is}no ${partTexts(kind, constraints, "noun", level).join("")}` : texts.join("");
  const shown = texts.slice(0, level === 1 ? MAX_PARTS : MAX_PARTS_WITHIN);
  const rest = texts.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  const last = all.at(-1) as string;
  const joined = `${all.slice(0, -1).join(", ")} ${WORDS[kind]} ${last}`;
  return kind === "none" ? `${is}neither ${joined}` : joined;
}

/** Each part once; versions of one API together. */
function partTexts(
  kind: CompoundOutline["kind"],
  constraints: readonly Outline[],
  voice: Voice,
  level: number,
): readonly string[] {
  const texts = new Set<string>();
  for (const part of constraints) {
    if (part.kind === "gvk") texts.add(apiPhrase(apiVersions(part, constraints, kind === "all" ? "and" : "or"), voice));
    else {
      const text = phrase(part, voice, level + 1);
      texts.add("constraints" in part && part.constraints.length > 1 ? `[${text}]` : text);
    }
  }
  return [...texts];
}

type GvkOutline = Extract<LeafOutline, { readonly kind: "gvk" }>;

/** An API with all versions of it that are meant: `Etcd (etcd.example.com, v1 or v1beta1)`. */
function apiVersions({ gvk }: GvkOutline, constraints: readonly Outline[], word: string): string {
  const { group, kind } = gvk;
  const isAlike = (one: Outline): one is GvkOutline =>
    one.kind === "gvk" && one.gvk.group === group && one.gvk.kind === kind;
  const versions = [...new Set(constraints.filter(isAlike).map((one) => one.gvk.version))];
  if (versions.length === 1) return apiName(gvk);
  const last = versions.pop() as string;
  return `${kind} (${group === "" ? "" : `${group}, `}${versions.join(", ")} ${word} ${last})`;
}

/** Versions of a package as people write it: `etcd 1.2.0`, `etcd >=1.0.0 <2.0.0`, or `etcd` for all of them. */
export function packageText(name: string, range: RangeOutline | undefined): string {
  const isAny = range === undefined || range.text === ">=0.0.0";
  return isAny ? shortened(name) : `${shortened(name)} ${range.only ?? shortened(range.text)}`;
}

/** An API as people write it: `Etcd (etcd.example.com/v1)`. */
export function apiName({ group, version, kind }: Gvk): string {
  return `${kind} (${group === "" ? version : `${group}/${version}`})`;
}

/** The authors' words in a constraint, the outermost first, each once. */
function messagesIn(constraint: Outline): readonly string[] {
  const messages = new Set<string>();
  const open: Outline[] = [constraint];
  for (let next = 0; next < open.length && messages.size < MAX_MESSAGES; next++) {
    const part = open[next] as Outline;
    if (part.message !== undefined) messages.add(messageText(part.message));
    if ("constraints" in part) for (const child of part.constraints) open.push(child);
  }
  return [...messages];
}

/** A quoted message, on one line and shortened. */
export function messageText(message: string): string {
  return `"${shortened(message).replaceAll(/\s+/g, " ")}"`;
}

/** The message of the author of the constraint: `the administrator says: "not on Fridays"`. */
export function saying(constraint: Outline, speaker: string): string | undefined {
  const messages = messagesIn(constraint);
  return messages.length === 0 ? undefined : `${speaker} says: ${enumerated(messages)}`;
}

/** A sentence, followed by the message of the author of the constraint. */
export function withMessages(text: string, constraint: Outline, speaker: string): string {
  const said = saying(constraint, speaker);
  return said === undefined ? text : `${text} (${said})`;
}
