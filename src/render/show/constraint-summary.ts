// What does a constraint ask for, in a few words? For display only: all spellings are recognised and nothing is checked;
// what a constraint means is decided in src/constraint.

import { isList, isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import { apiText, packageText } from "./statement-text.ts";

/** A constraint in short. */
export interface ConstraintSummary {
  readonly kind: "gvk" | "package" | "all" | "any" | "none" | "cel" | "propertyEquals" | "unknown";
  /** What the author says about it. */
  readonly message: string | undefined;
  readonly isConflict: boolean;
  readonly isOptional: boolean;
  /** What it asks for, in words. */
  readonly text: string;
}

const KINDS: readonly (readonly [key: string, kind: ConstraintSummary["kind"]])[] = [
  ["gvk", "gvk"],
  ["package", "package"],
  ["all", "all"],
  ["any", "any"],
  ["not", "none"],
  ["none", "none"],
  ["cel", "cel"],
  ["rule", "cel"],
  ["source", "cel"],
  ["propertyequals", "propertyEquals"],
];

/** The summary of an `olm.constraint` value. */
export function summariseConstraint(value: Json): ConstraintSummary {
  const constraint = isObject(value) ? lowerKeys(value) : {};
  const [key, kind] = KINDS.find(([name]) => own(constraint, name) !== undefined) ?? ["", "unknown" as const];
  const content = own(constraint, key) ?? null;
  const action = own(constraint, "action");
  const actionKeys = isObject(action) ? lowerKeys(action) : {};
  return {
    kind,
    message: textIn(constraint, "failuremessage") ?? textIn(constraint, "message"),
    isConflict: textIn(actionKeys, "id") === "conflict",
    isOptional: own(actionKeys, "optional") === true,
    text: contentText(kind, content),
  };
}

function contentText(kind: ConstraintSummary["kind"], content: Json): string {
  const inner = isObject(content) ? lowerKeys(content) : {};
  const text = (key: string): string => textIn(inner, key) ?? "?";
  switch (kind) {
    case "gvk":
      return apiText({ group: textIn(inner, "group") ?? "", version: text("version"), kind: text("kind") });
    case "package":
      return `package ${packageText(textIn(inner, "packagename") ?? text("name"), textIn(inner, "versionrange") ?? "")}`;
    case "cel":
      return `CEL rule ${typeof content === "string" ? content : text("rule")}`;
    case "propertyEquals":
      return `some operator with property ${text("name")}`;
    case "all":
    case "any":
    case "none": {
      const children = own(inner, "constraints");
      const count = isList(children) ? children.length : 0;
      return `${kind} of ${count} ${count === 1 ? "constraint" : "constraints"}`;
    }
    case "unknown":
      return "a constraint of unknown form";
  }
}

/** An object with its keys in lower case, since the keys of constraints match in any case. */
function lowerKeys(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]));
}

function textIn(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === "string" && value !== "" ? value : undefined;
}
