// How would the constraints of a bundle read if its author had not mistyped them? Whatever a message about a mistake says
// in so many words is put in; what is left of the mistakes then decides whether that was enough.

import type { Property } from "../model/catalog.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import type { ConstraintProblem, Correction } from "./constraint.ts";
import type { ConstraintReader } from "./read-requirements.ts";

/** Properties with which a bundle could be read, and what is different in them. */
export interface CorrectedProperties {
  readonly properties: readonly Property[];
  readonly corrections: readonly Correction[];
}

/** A mistake may hide another; so often the corrected constraints are read again. */
const MAX_ROUNDS = 3;

/** The properties without the mistakes; nothing where a mistake has no certain correction. */
export function correctedProperties(
  properties: readonly Property[],
  reader: ConstraintReader,
): CorrectedProperties | undefined {
  let now = properties;
  const corrections: Correction[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const known = reader.of(now).problems.filter((problem) => problem.correction !== undefined);
    if (known.length === 0) break;
    now = now.map((property, index) => {
      const own = known.filter((problem) => problem.property === index);
      return own.length === 0 ? property : { ...property, value: own.reduce(applied, property.value) };
    });
    const fresh = new Map(known.map(({ correction }) => [`${correction?.was}\0${correction?.is}`, correction]));
    corrections.push(...[...fresh.values()].filter((one) => one !== undefined));
  }
  return corrections.length > 0 && reader.of(now).problems.length === 0 ? { properties: now, corrections } : undefined;
}

function applied(value: Json, { path, ofKey, correction }: ConstraintProblem): Json {
  return correction === undefined ? value : replacedAt(value, path, correction.is, ofKey === true);
}

/** The value with another key or text at a path. */
function replacedAt(value: Json, [step, ...rest]: Path, instead: string, ofKey: boolean): Json {
  if (step === undefined) return instead;
  if (isList(value))
    return value.map((item, index) => (index === step ? replacedAt(item, rest, instead, ofKey) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== step) return [key, item];
      return ofKey && rest.length === 0 ? [instead, item] : [key, replacedAt(item, rest, instead, ofKey)];
    }),
  );
}
