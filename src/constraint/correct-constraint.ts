// What would the constraints of a bundle be without typos? The certain corrections of each error are applied; the
// result is read again to see whether that was enough.

import type { Property } from "../model/catalog.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import type { ConstraintProblem, Correction } from "./constraint.ts";
import type { ConstraintReader } from "./read-requirements.ts";

/** Corrected properties, and the corrections. */
export interface CorrectedProperties {
  readonly properties: readonly Property[];
  readonly corrections: readonly Correction[];
}

/** Number of passes: an error may hide another. */
const MAX_ROUNDS = 3;

/** The properties without the errors; undefined if an error has no certain correction. */
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

/** The value with the key or string at a path replaced. */
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
