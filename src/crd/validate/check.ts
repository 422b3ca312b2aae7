// Is a value valid under a schema? A check is made once for each part of a schema and then run on many values.

import type { Json, JsonObject } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import { alternativeChecks, enumCheck } from "./check-choice.ts";
import { listChecks } from "./check-list.ts";
import { numberChecks } from "./check-number.ts";
import { objectChecks } from "./check-object.ts";
import { type Patterns, textChecks } from "./check-text.ts";
import { expectedTypes, type Kind, kindOf, takes, typeKeyword } from "./expectation.ts";
import type { FaultDetail } from "./fault.ts";
import { checkEmbedded } from "./metadata.ts";
import { type Check, type CheckOf, every } from "./search.ts";

/**
 * The check of a schema. Types of lists and embedded resources count only in the structural part of a schema: not below
 * allOf, anyOf, oneOf and not.
 */
export function checkOf(schema: Schema, isStructural: boolean, patterns: Patterns): Check {
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
