// Is an object of a custom kind valid, and what becomes of it? As the API server does it: unknown fields are dropped,
// defaults are put in, then the object is validated by the schema, and by its rules unless something is wrong that keeps
// the API server from asking them.

import { canonicalText, compareText, type Json, type JsonObject } from "../../model/json.ts";
import { comparePaths } from "../../model/place.ts";
import { type ObjectRules, rulesFor } from "../cel-rules/rules-for.ts";
import type { Schema } from "../schema/schema.ts";
import { alternativeChecks, enumCheck } from "./check-choice.ts";
import { listChecks } from "./check-list.ts";
import { numberChecks } from "./check-number.ts";
import { objectChecks } from "./check-object.ts";
import { Patterns, textChecks } from "./check-text.ts";
import { expectedTypes, type Kind, kindOf, takes, typeKeyword } from "./expectation.ts";
import type { FaultDetail } from "./fault.ts";
import { checkEmbedded, checkRoot } from "./metadata.ts";
import { Serving, serveFor } from "./prune-and-default.ts";
import { type Check, type CheckOf, every, Search } from "./validation-run.ts";
import type { ObjectFault, ValidationOptions, Validator, Verdict } from "./validator.ts";

/** Settings of the definition other than its schema, and the budget. */
export interface ValidatorOptions {
  /** The definition keeps unknown fields of its objects (v1beta1). */
  readonly preserveUnknownFields: boolean;
  /** How much the rules of a schema may cost for one object. */
  readonly celCostLimit: number;
}

/** How many faults are collected by default. */
const MAX_FAULTS = 100;

/** Validates objects by a schema; without a schema, every object is valid as it is. */
export function validatorFor(schema: Schema | undefined, options: ValidatorOptions): Validator {
  if (schema === undefined) {
    return { validate: (object) => ({ object, dropped: [], faults: [], undecided: undefined }) };
  }
  const { preserveUnknownFields, celCostLimit } = options;
  const serve = serveFor(schema, preserveUnknownFields ? "none" : "all", preserveUnknownFields, true);
  const check = checkOf(schema, true, new Patterns());
  let rules: ObjectRules | undefined | "not read" = "not read";

  return {
    validate(object: JsonObject, { old, mostFaults = MAX_FAULTS }: ValidationOptions = {}): Verdict {
      const serving = new Serving();
      const served = serve(object, serving) as JsonObject;
      const { dropped } = serving;
      if (serving.undecided !== undefined) {
        return { object: served, dropped, faults: [], undecided: serving.undecided };
      }
      const search = new Search(mostFaults);
      check(served, search);
      checkRoot(served, (steps, detail) => search.fault(schema, "metadata", () => detail, steps, ""));
      const verdict: Verdict = {
        object: served,
        dropped,
        faults: search.faults.length > 1 ? search.faults.sort(compareFaults) : search.faults,
        undecided: search.undecided,
      };
      const most = Math.max(1, mostFaults) - search.faults.length;
      if (search.blocksRules || most <= 0 || verdict.undecided !== undefined) return verdict;
      if (rules === "not read") rules = rulesFor(schema, { celCostLimit });
      if (rules === undefined) return verdict;
      const servedOld = old === undefined ? undefined : (serve(old, new Serving()) as JsonObject);
      const { faults, undecided } = rules.check(served, servedOld, most);
      return { ...verdict, faults: [...verdict.faults, ...faults], undecided };
    },
  };
}

/** By their place in the object, then by their place in the schema. */
function compareFaults(a: ObjectFault, b: ObjectFault): number {
  return comparePaths(a.path, b.path) || comparePaths(a.at, b.at) || compareText(textOf(a), textOf(b));
}

function textOf({ detail }: ObjectFault): string {
  return canonicalText(detail as unknown as Json);
}

/**
 * The check of a schema. Types of lists and embedded resources count only in the structural part of a schema: not below
 * allOf, anyOf, oneOf and not.
 */
function checkOf(schema: Schema, isStructural: boolean, patterns: Patterns): Check {
  const part = (inner: Schema): Check => checkOf(inner, isStructural, patterns);
  const chosen = enumCheck(schema);
  const choices = chosen === undefined ? [] : [chosen];
  const always = [...alternativeChecks(schema, (inner) => checkOf(inner, false, patterns)), ...choices];

  function checkFor<T extends Json>(kind: Kind, checks: () => readonly CheckOf<T>[]): CheckOf<T> {
    return takes(schema, kind) ? every([...checks(), ...always]) : wrongType(schema);
  }

  // The API server checks only the type and the enum of null.
  const nothing = takes(schema, "null") ? every(choices) : wrongType(schema);
  const text = checkFor("text", () => textChecks(schema, patterns));
  const number = checkFor("number", () => numberChecks(schema));
  const flag = checkFor<boolean>("flag", () => []);
  const list = checkFor("list", () => listChecks(schema, part, isStructural));
  const object = checkFor("object", () => {
    const checks = objectChecks(schema, part);
    return isStructural && schema.embeddedResource ? [...checks, embeddedCheck(schema)] : checks;
  });

  return (value, search) => {
    switch (typeof value) {
      case "string":
        return text(value, search);
      case "number":
      case "bigint":
        return number(value, search);
      case "boolean":
        return flag(value, search);
      default:
        if (value === null) return nothing(value, search);
        return Array.isArray(value) ? list(value, search) : object(value as JsonObject, search);
    }
  };
}

function wrongType(schema: Schema): Check {
  return (value, search) => {
    const detail = (): FaultDetail => ({ kind: "type", expected: expectedTypes(schema), is: kindOf(value) });
    return search.fault(schema, "type", detail, [], typeKeyword(schema));
  };
}

function embeddedCheck(schema: Schema): CheckOf<JsonObject> {
  const keyword = "x-kubernetes-embedded-resource";
  return (object, search) => {
    let valid = true;
    checkEmbedded(object, (steps, detail) => {
      valid = search.fault(schema, keyword, () => detail, steps);
    });
    return valid;
  };
}
