// Where in its document is a malformed constraint?

import { characterOf, inside, keyOf, type Place } from "../model/place.ts";
import type { ConstraintProblem } from "./constraint.ts";

/** The place of a problem, in the document of the bundle with these properties. */
export function problemPlace({ property, path, offset, ofKey }: ConstraintProblem, ofBundle: Place): Place {
  const steps = ["properties", property, "value", ...path];
  const last = steps.at(-1);
  if (ofKey && typeof last === "string") return keyOf(inside(ofBundle, ...steps.slice(0, -1)), last);
  const place = inside(ofBundle, ...steps);
  return offset === undefined ? place : characterOf(place, offset);
}
