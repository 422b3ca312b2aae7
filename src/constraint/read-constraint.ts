// What does the value of an `olm.constraint` state? All of its spellings become one structure; all errors are
// reported, not only the first. Scopes are left as stated.

import { isList, type Json, typeName } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import type { CelConstraint, CompoundConstraint, LeafConstraint, Scope } from "./constraint.ts";
import { type Complain, type Fault, type Fields, type Form, optionalTextOf, readFields } from "./constraint-fields.ts";
import {
  type Around,
  type LeafReading,
  readCel,
  readGvk,
  readMessage,
  readPackage,
  readPropertyEquals,
  readRule,
} from "./read-leaf.ts";

/** A constraint with only the scopes that are written. */
export type Draft = LeafConstraint | CompoundDraft;

/** A compound as written. */
export interface CompoundDraft extends Around {
  readonly kind: CompoundConstraint["kind"];
  readonly stated: StatedScope | undefined;
  readonly constraints: readonly Draft[];
}

/** A written scope, and its path. */
export interface StatedScope {
  readonly scope: Scope;
  readonly path: Path;
}

/** A constraint with the fields that only the outermost one can have. */
export interface OutermostDraft {
  /** Undefined if it is malformed. */
  readonly constraint: Draft | undefined;
  readonly action: "require" | "conflict";
  readonly optional: StatedOptional | undefined;
}

/** Whether it is optional, and where that is written. */
export interface StatedOptional {
  readonly optional: boolean;
  readonly path: Path;
}

/** The context of reading a constraint. */
export interface Reading extends LeafReading {
  readonly maxDepth: number;
}

/** No limit allows more levels than this: reading is recursive. */
const MAX_DEPTH = 500;

const FIELDS: readonly string[] = [
  "gvk",
  "package",
  "cel",
  "propertyEquals",
  "all",
  "any",
  "none",
  "not",
  "evaluator",
  "rule",
  "source",
  "message",
  "failureMessage",
  "action",
];

const CONSTRAINT: Form = { name: "a constraint", fields: FIELDS, misplaced };

/** Reads the value of an `olm.constraint`. */
export function readOutermost(value: Json, reading: Reading): OutermostDraft {
  const fields = readFields(value, [], CONSTRAINT, reading.complain);
  if (fields === undefined) return { constraint: undefined, action: "require", optional: undefined };
  return { constraint: readKind(fields, [], 1, reading), ...readAction(fields, reading.complain) };
}

/** What can be read of an `olm.constraint` or `olm.constraint.cel` that is malformed. */
export interface PartlyRead {
  /** Undefined if it has no field that states one. */
  readonly kind?: Draft["kind"];
  readonly message?: string;
  readonly action: OutermostDraft["action"];
  readonly optional: boolean;
}

/** The kind that a field states; the first counts. */
const STATED_KINDS: readonly (readonly [field: string, kind: Draft["kind"]])[] = [
  ["gvk", "gvk"],
  ["package", "package"],
  ["all", "all"],
  ["any", "any"],
  ["not", "none"],
  ["none", "none"],
  ["cel", "cel"],
  ["rule", "cel"],
  ["source", "cel"],
  ["propertyEquals", "propertyEquals"],
];

/** Reads a malformed constraint as far as that is possible. */
export function readPartly(value: Json): PartlyRead {
  const ignore: Complain = () => {};
  const fields = readFields(value, [], CONSTRAINT, ignore) ?? new Map();
  const [, kind] = STATED_KINDS.find(([field]) => fields.has(field)) ?? [];
  const message = readMessage(fields, ignore);
  const { action, optional } = readAction(fields, ignore);
  return {
    ...(kind !== undefined && { kind }),
    ...(message !== undefined && { message }),
    action,
    optional: optional?.optional ?? false,
  };
}

function readNested(value: Json, path: Path, level: number, reading: Reading): Draft | undefined {
  const fields = readFields(value, path, CONSTRAINT, reading.complain);
  if (fields === undefined) return undefined;
  const action = fields.get("action");
  if (action !== undefined)
    reading.complain({
      message: "only the outermost constraint can have an action",
      hint: "move it there, or write none for what must not be",
      path: action.path,
      ofKey: true,
    });
  return readKind(fields, path, level, reading);
}

const KINDS: readonly string[] = ["gvk", "package", "cel", "propertyEquals", "all", "any", "none", "not"];
const EVALUATED: readonly string[] = ["evaluator", "rule", "source"];

function readKind(fields: Fields, path: Path, level: number, reading: Reading): Draft | undefined {
  const { complain } = reading;
  const around: Around = { path, message: readMessage(fields, complain) };
  const kinds = KINDS.filter((name) => fields.has(name));
  const evaluated = EVALUATED.filter((name) => fields.has(name));
  const found = evaluated.length === 0 ? kinds : [...kinds, evaluated[0] as string];
  if (found.length === 0) {
    const hint = `write one of ${KINDS.slice(0, -1).join(", ")}`;
    complain({ message: "the constraint is empty: it does not require anything", hint, path });
    return undefined;
  }
  if (found.length > 1) {
    const second = fields.get(found[1] as string);
    complain({
      message: `the constraint has several kinds at once: ${found.join(", ")}`,
      hint: "put each into its own constraint, under all or any",
      path: second?.path ?? path,
      ofKey: true,
    });
  }
  const drafts = kinds.map((kind) => readOne(kind, fields, around, level, reading));
  if (evaluated.length > 0) drafts.push(readEvaluated(fields, around, reading));
  return found.length === 1 ? drafts[0] : undefined;
}

function readOne(kind: string, fields: Fields, around: Around, level: number, reading: Reading): Draft | undefined {
  const { value, path } = fields.get(kind) as { readonly value: Json; readonly path: Path };
  switch (kind) {
    case "gvk":
      return readGvk(value, path, around, reading);
    case "package":
      return readPackage(value, path, around, reading);
    case "cel":
      return readCel(value, path, around, reading);
    case "propertyEquals":
      return readPropertyEquals(value, path, around, reading);
    case "not":
      return readCompound("none", value, path, around, level, reading);
    default:
      return readCompound(kind as CompoundConstraint["kind"], value, path, around, level, reading);
  }
}

const COMPOUND: Form = { name: "a compound", fields: ["constraints", "scope"] };

function readCompound(
  kind: CompoundConstraint["kind"],
  value: Json,
  at: Path,
  around: Around,
  level: number,
  reading: Reading,
): CompoundDraft | undefined {
  const { complain } = reading;
  const written = String(at.at(-1));
  if (isList(value)) {
    const message = `${written} must be an object, but is a list`;
    complain({ message, hint: `write ${written}: {constraints: […]}`, path: at });
    return undefined;
  }
  const fields = readFields(value, at, { ...COMPOUND, name: written }, complain);
  if (fields === undefined) return undefined;
  const stated = readScope(fields, complain);
  const list = fields.get("constraints");
  if (list === undefined) {
    complain({ message: `${written} has no constraints`, hint: "list them under constraints", path: at });
    return undefined;
  }
  if (!isList(list.value)) {
    complain({ message: `constraints must be a list, but is ${typeName(list.value)}`, path: list.path });
    return undefined;
  }
  const deepest = Math.min(reading.maxDepth, MAX_DEPTH);
  if (level >= deepest && list.value.length > 0) {
    const message = `the constraint is nested deeper than ${deepest} levels`;
    complain({ message, hint: "write it with fewer levels", path: [...list.path, 0] });
    return undefined;
  }
  const drafts = list.value.map((child, index) => readNested(child, [...list.path, index], level + 1, reading));
  const constraints = drafts.filter((draft) => draft !== undefined);
  return { kind, stated, constraints, ...around };
}

function readScope(fields: Fields, complain: Complain): StatedScope | undefined {
  const field = fields.get("scope");
  const scope = optionalTextOf(fields, "scope", complain);
  if (field === undefined || scope === undefined) return undefined;
  if (scope === "solution" || scope === "bundle") return { scope, path: field.path };
  const message = `there is no scope ${JSON.stringify(scope)}`;
  complain({ message, hint: "write solution or bundle", path: field.path });
  return undefined;
}

const EVALUATOR: Form = { name: "evaluator", fields: ["id"] };

/** Reads `evaluator: {id: cel}` with its rule next to it, under `rule` or `source`. */
function readEvaluated(fields: Fields, around: Around, reading: Reading): CelConstraint | undefined {
  const { complain } = reading;
  const isCel = readEvaluator(fields, around.path, complain);
  const rule = fields.get("rule");
  const source = fields.get("source");
  if (rule !== undefined && source !== undefined) {
    complain({ message: "rule and source mean the same", hint: "keep rule", path: source.path, ofKey: true });
    return undefined;
  }
  if (!isCel) return undefined;
  return readRule(fields, source === undefined ? "rule" : "source", around.path, CONSTRAINT, around, reading);
}

function readEvaluator(fields: Fields, path: Path, complain: Complain): boolean {
  const field = fields.get("evaluator");
  if (field === undefined) {
    const written = fields.get("rule") ?? fields.get("source");
    const message = "the rule has no evaluator";
    complain({ message, hint: "write cel: {rule: …}", path: written?.path ?? path, ofKey: true });
    return false;
  }
  const faults: Parameters<Complain>[0][] = [];
  const evaluator = readFields(field.value, field.path, EVALUATOR, (fault) => faults.push(fault));
  const written = evaluator?.get("id");
  const id = evaluator && optionalTextOf(evaluator, "id", (fault) => faults.push(fault));
  if (written !== undefined && id !== undefined && id.toLowerCase() !== "cel") {
    // Its other fields are unknown.
    const message = `there is no evaluator ${JSON.stringify(id)}`;
    complain({ message, hint: "the only one is cel", path: written.path });
    return false;
  }
  if (evaluator !== undefined && written === undefined)
    faults.push({ message: "evaluator has no id", hint: "write id: cel", path: field.path });
  for (const fault of faults) complain(fault);
  return id !== undefined;
}

const ACTION: Form = { name: "action", fields: ["id", "optional"] };

function readAction(fields: Fields, complain: Complain): Pick<OutermostDraft, "action" | "optional"> {
  const field = fields.get("action");
  const inner = field === undefined ? undefined : readFields(field.value, field.path, ACTION, complain);
  if (inner === undefined) return { action: "require", optional: undefined };
  const id = optionalTextOf(inner, "id", complain)?.toLowerCase();
  if (id !== undefined && id !== "require" && id !== "conflict") {
    const message = `there is no action ${JSON.stringify(id)}`;
    complain({ message, hint: "write require or conflict", path: inner.get("id")?.path ?? [] });
  }
  const written = inner.get("optional");
  if (written !== undefined && typeof written.value !== "boolean")
    complain({ message: `optional must be true or false, but is ${typeName(written.value)}`, path: written.path });
  const optional = written === undefined ? undefined : { optional: written.value === true, path: written.path };
  return { action: id === "conflict" ? "conflict" : "require", optional };
}

/** What to write instead of a property type that is not allowed inside a constraint. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["olm.gvk.required", "write gvk: {group, version, kind}"],
  ["olm.gvk", "write gvk: {group, version, kind}"],
  ["olm.package.required", "write package: {packageName, versionRange}"],
  ["olm.package", "write package: {packageName, versionRange}"],
  ["olm.label.required", 'write cel: {rule: properties.exists(p, p.type == "olm.label" && p.value.label == "…")}'],
  ["olm.label", 'write cel: {rule: properties.exists(p, p.type == "olm.label" && p.value.label == "…")}'],
  ["olm.constraint", "write its content"],
  ["olm.constraint.cel", "write cel: {rule: …}"],
]);

function misplaced(key: string): Pick<Fault, "message" | "hint"> | undefined {
  const folded = key.toLowerCase();
  const instead = INSTEAD.get(folded);
  if (instead !== undefined)
    return { message: `${JSON.stringify(key)} is not allowed inside a constraint`, hint: instead };
  if (folded === "scope")
    return { message: "only a compound has a scope", hint: "write it inside: all: {scope: bundle, constraints: […]}" };
  if (folded === "constraints")
    return { message: "constraints must be inside all, any or none", hint: "write all: {constraints: […]}" };
  if (folded === "type" || folded === "value")
    return {
      message: `a constraint has no field ${JSON.stringify(key)}: it is not a property`,
      hint: "write only what would be its value",
    };
  return undefined;
}
