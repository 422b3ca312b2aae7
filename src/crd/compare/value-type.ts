// Does a field have another type? A number or a text (x-kubernetes-int-or-string) is a type, too.

import type { Schema } from "../schema/schema.ts";
import type { SchemaDifference } from "./difference.ts";
import { type Pair, report } from "./pair.ts";

type Effect = SchemaDifference["effect"];

const INT_OR_STRING = "x-kubernetes-int-or-string";
const EITHER = "integer or string";

/** Reports another type; returns whether nothing else has to be compared, because no value is of both types. */
export function compareTypes(pair: Pair): boolean {
  const before = typeOf(pair.old);
  const after = typeOf(pair.new);
  if (before === after) return false;
  const keyword = after === EITHER || (after === undefined && before === EITHER) ? INT_OR_STRING : "type";
  const change = { keyword, old: before, new: after };
  if (pair.path === "." && after === "object" && before === undefined) {
    report(pair, "CRD201", "none", change, { kind: "object-type" });
    return false;
  }
  const effect = effectOf(before, after);
  const isEither = (before === EITHER && isEasy(after)) || (after === EITHER && isEasy(before));
  report(pair, isEither ? "CRD217" : "CRD201", effect, change, {
    kind: "type",
    isLooser: effect === "looser",
    ...(after !== undefined && { now: after }),
    ...(before !== undefined && { was: before }),
  });
  return !isEither && before !== undefined && after !== undefined && !areNumbers(before, after);
}

function typeOf({ type, intOrString }: Schema): string | undefined {
  return intOrString ? EITHER : type;
}

/** Whether values of a type are integers or texts, or some of them are. */
function isEasy(type: string | undefined): boolean {
  return type === undefined || type === "string" || type === "integer" || type === "number";
}

function effectOf(before: string | undefined, after: string | undefined): Effect {
  if (after === undefined) return "looser";
  if (after === EITHER && before === "number") return "different";
  const isWider =
    after === "number" ? before === "integer" : after === EITHER && (before === "integer" || before === "string");
  return isWider ? "looser" : "tighter";
}

function areNumbers(a: string, b: string): boolean {
  return (a === "integer" && b === "number") || (a === "number" && b === "integer");
}
