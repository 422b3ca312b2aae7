// What does a constraint demand, in a few English words?

import type { Gvk } from "../model/catalog.ts";
import { canonicalText } from "../model/json.ts";
import type { Range } from "../semver/blang-range.ts";
import { printVersion } from "../semver/version.ts";
import type {
  CelConstraint,
  CompoundConstraint,
  Constraint,
  GvkConstraint,
  LeafConstraint,
  Scope,
} from "./constraint.ts";
import { askedProperty } from "./plain-rule.ts";
import { askedVersion, versionPhrase } from "./version-rule.ts";

/** Texts of authors are cut here. */
const LONGEST = 160;
/** No more than this many parts of a compound are listed, and of a compound within it. */
const MOST_PARTS = 6;
const MOST_PARTS_WITHIN = 3;
/** No more than this many levels of a compound are written out. */
const DEEPEST = 3;
/** No more than this many messages of one constraint are repeated. */
const MOST_MESSAGES = 5;

/**
 * The place of a phrase in its sentence:
 * - `needed`, behind "requires": the API Etcd (etcd.example.com/v1)
 * - `who`: an operator that provides Etcd (etcd.example.com/v1)
 * - `does`, behind "an operator that": provides Etcd (etcd.example.com/v1)
 */
type Voice = "needed" | "who" | "does";

/** What the constraint asks for, as it stands behind "requires": "the API Etcd (etcd.example.com/v1)". */
export function sentence(constraint: Constraint): string {
  return phrase(constraint, "needed", 1);
}

/** Whom the constraint speaks of: "an operator that provides Etcd (etcd.example.com/v1)". */
export function operatorText(constraint: Constraint): string {
  return phrase(constraint, "who", 1);
}

/** Beside whom somebody cannot run, who satisfies one of some constraints: "beside x", or "without x". */
export function besideText(constraints: readonly Constraint[]): string {
  const { once, twice } = negated(constraints, "solution");
  const [only, ...more] = once;
  const beside = more.length === 0 && only !== undefined ? operatorText(only) : listed("any", once, "who", 1);
  const texts = twice.map((parts) => `without ${listed("any", parts, "who", 1)}`);
  return (once.length === 0 && texts.length > 0 ? texts : [`beside ${beside}`, ...texts]).join(" or ");
}

/** What a negation is about: what it denies, and what it demands because it was denied within it. */
interface Negated {
  readonly once: readonly Constraint[];
  /** Of each of these lists one must hold. */
  readonly twice: readonly (readonly Constraint[])[];
}

/** None of "x or y" is neither of them; none of "none of x" is x; and none of "none of none of x" is none of x. */
function negated(constraints: readonly Constraint[], scope: Scope): Negated {
  const isOf = (kind: CompoundConstraint["kind"], part: Constraint): part is CompoundConstraint =>
    part.kind === kind && part.scope === scope && part.constraints.length > 0;
  const once: Constraint[] = [];
  const twice: (readonly Constraint[])[] = [];
  for (const part of constraints.flatMap((one) => (isOf("any", one) ? one.constraints : [one]))) {
    const [only, ...more] = isOf("none", part) ? part.constraints : [];
    if (!isOf("none", part) || only === undefined) once.push(part);
    else if (more.length > 0 || !isOf("none", only)) twice.push(part.constraints);
    else {
      const within = negated(only.constraints, scope);
      once.push(...within.once);
      twice.push(...within.twice);
    }
  }
  return { once, twice };
}

/** What somebody demands who says that he cannot run beside whoever is without it; nothing where he says more than that. */
export function demandedBy(constraints: readonly Constraint[]): Constraint | undefined {
  const { once, twice } = negated(constraints, "solution");
  const [demanded, ...more] = twice.flat();
  return once.length === 0 && more.length === 0 ? demanded : undefined;
}

/** The text of a rule that is not said in plain words, so that it can stand where it is in nobody's way. */
export function ruleOf(constraint: Constraint): string | undefined {
  if (constraint.kind !== "cel" || askedVersion(constraint) !== undefined) return undefined;
  return askedProperty(constraint) === undefined ? shortened(constraint.rule) : undefined;
}

function phrase(constraint: Constraint, voice: Voice, level: number): string {
  if (!("constraints" in constraint)) return leaf(constraint, voice, level);
  const { constraints, scope } = constraint;
  const isOne = scope === "bundle" && level === 1 && voice !== "does" && constraints.length > 0;
  if (isOne) return `${voice === "who" ? "an" : "one"} operator that ${compound(constraint, "does", level)}`;
  return compound(constraint, voice, level);
}

function compound({ kind, constraints, scope }: CompoundConstraint, voice: Voice, level: number): string {
  if (kind !== "none" || level > DEEPEST) return listed(kind, constraints, voice, level);
  const { once, twice } = negated(constraints, scope);
  const demanded = twice.map((parts) => {
    const text = listed("any", parts, voice, level);
    const whole = parts.length > 1 && twice.length + once.length > 1 ? `[${text}]` : text;
    // In the whole answer, whoever demands it does not count himself.
    return scope === "solution" ? `${whole}, from another operator` : whole;
  });
  if (once.length === 0 && demanded.length > 0) return demanded.join(" and ");
  const [only] = once;
  const isWhole = once.length === 1 && only?.kind === "all" && only.scope === scope && only.constraints.length > 1;
  return [...demanded, isWhole ? notAll(only, voice, level) : listed("none", once, voice, level)].join(" and ");
}

/** Some of them, but not all together. */
function notAll({ constraints }: CompoundConstraint, voice: Voice, level: number): string {
  const all = listed("all", constraints, voice === "does" ? "does" : "who", level);
  if (voice === "does") return `is not one that ${all}`;
  return `${constraints.length === 2 ? "not both" : "not all of"} ${all}`;
}

function leaf(constraint: LeafConstraint, voice: Voice, level: number): string {
  switch (constraint.kind) {
    case "gvk":
      return apiPhrase(apiName(constraint.gvk), voice);
    case "package":
      return `${voice === "does" ? "is " : ""}${packageText(constraint.name, constraint.range)}`;
    case "label":
      return `${voice === "does" ? "has" : "an operator with"} the label ${shortened(constraint.label)}`;
    case "cel":
      return rulePhrase(constraint, voice);
    case "propertyEquals": {
      const property = `the property ${shortened(constraint.name)} = ${shortened(canonicalText(constraint.value))}`;
      if (voice === "does") return `has ${property}`;
      if (voice === "who") return `an operator with ${property}`;
      return level === 1 ? `${property}, of an operator or of the cluster` : property;
    }
  }
}

function apiPhrase(name: string, voice: Voice): string {
  if (voice === "needed") return `the API ${name}`;
  return voice === "who" ? `an operator that provides ${name}` : `provides ${name}`;
}

function rulePhrase(constraint: CelConstraint, voice: Voice): string {
  const asked = askedVersion(constraint);
  if (asked !== undefined) {
    const version = shortened(versionPhrase(asked));
    return voice === "needed" ? version : `${voice === "does" ? "is " : ""}a cluster with ${version}`;
  }
  const property = askedProperty(constraint);
  if (property === undefined)
    return `${voice === "does" ? "" : "an operator that "}meets the rule ${shortened(constraint.rule)}`;
  const { type, value } = property;
  const said = `the property ${shortened(type)}${value === undefined ? "" : ` = ${shortened(value)}`}`;
  return `${voice === "does" ? "has" : "an operator with"} ${said}`;
}

const WORDS: Readonly<Record<CompoundConstraint["kind"], string>> = { all: "and", any: "or", none: "nor" };

function listed(
  kind: CompoundConstraint["kind"],
  constraints: readonly Constraint[],
  voice: Voice,
  level: number,
): string {
  if (constraints.length === 0) return `${kind} of nothing`;
  if (level > DEEPEST) return `${kind} of ${constraints.length} constraints`;
  const texts = partTexts(kind, constraints, kind === "none" ? "who" : voice, level);
  const [only] = texts;
  const is = voice === "does" ? "is " : "";
  if (only !== undefined && texts.length === 1) return kind === "none" ? `${is}no ${only.replace(/^an? /, "")}` : only;
  const shown = texts.slice(0, level === 1 ? MOST_PARTS : MOST_PARTS_WITHIN);
  const rest = texts.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  const last = all.at(-1) as string;
  const joined = `${all.slice(0, -1).join(", ")} ${WORDS[kind]} ${last}`;
  return kind === "none" ? `${is}neither ${joined}` : joined;
}

/** Each part once; versions of one API together. */
function partTexts(
  kind: CompoundConstraint["kind"],
  constraints: readonly Constraint[],
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

/** An API with all versions of it that are meant: `Etcd (etcd.example.com, v1 or v1beta1)`. */
function apiVersions({ gvk }: GvkConstraint, constraints: readonly Constraint[], word: string): string {
  const { group, kind } = gvk;
  const isAlike = (one: Constraint): one is GvkConstraint =>
    one.kind === "gvk" && one.gvk.group === group && one.gvk.kind === kind;
  const versions = [...new Set(constraints.filter(isAlike).map((one) => one.gvk.version))];
  if (versions.length === 1) return apiName(gvk);
  const last = versions.pop() as string;
  return `${kind} (${group === "" ? "" : `${group}, `}${versions.join(", ")} ${word} ${last})`;
}

/** Versions of a package as people write it: `etcd 1.2.0`, `etcd >=1.0.0 <2.0.0`, or `etcd` for all of them. */
export function packageText(name: string, range: Range | undefined): string {
  const isAny = range === undefined || range.text === ">=0.0.0";
  return isAny ? shortened(name) : `${shortened(name)} ${onlyVersion(range) ?? shortened(range.text)}`;
}

/** The version, if a range has just one. */
export function onlyVersion({ anyOf }: Range): string | undefined {
  const [only] = anyOf[0] ?? [];
  const isOne = anyOf.length === 1 && anyOf[0]?.length === 1 && only?.operator === "=";
  return isOne && only !== undefined ? printVersion(only.version) : undefined;
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
    if (part.message !== undefined) messages.add(quoted(part.message));
    if ("constraints" in part) for (const child of part.constraints) open.push(child);
  }
  return [...messages];
}

/** Somebody's own words, on one line and not too many. */
export function quoted(message: string): string {
  return `"${shortened(message).replaceAll(/\s+/g, " ")}"`;
}

/** What whoever wrote the constraint says about it: `the administrator says: "not on Fridays"`. */
export function saying(constraint: Constraint, speaker: string): string | undefined {
  const messages = messagesIn(constraint);
  const last = messages.at(-1);
  if (last === undefined) return undefined;
  return `${speaker} says: ${messages.length === 1 ? last : `${messages.slice(0, -1).join(", ")} and ${last}`}`;
}

/** A sentence, followed by what whoever wrote the constraint says about it. */
export function withMessages(text: string, constraint: Constraint, speaker: string): string {
  const said = saying(constraint, speaker);
  return said === undefined ? text : `${text} (${said})`;
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
