// Does a field have another type? A number or a text (x-kubernetes-int-or-string) is a type, too.

import type { Schema } from "../schema/schema.ts";
import type { SchemaDifference } from "./difference.ts";
import { type Pair, tell } from "./pair.ts";

type Effect = SchemaDifference["effect"];

const INT_OR_STRING = "x-kubernetes-int-or-string";
const EITHER = "integer or string";
const IS_OBJECT = "is now said to be an object, which every custom resource is";

/** Tells another type; returns whether everything else is then beside the point, because no value is of both. */
export function compareTypes(pair: Pair): boolean {
  const before = typeOf(pair.old);
  const after = typeOf(pair.new);
  if (before === after) return false;
  const keyword = after === EITHER || (after === undefined && before === EITHER) ? INT_OR_STRING : "type";
  const change = { keyword, old: before, new: after };
  const isSaidOnly = pair.path === "." && after === "object" && before === undefined;
  const effect = isSaidOnly ? "none" : effectOf(before, after);
  const message =
    after === undefined
      ? `may now be of any type (was ${before})`
      : `${effect === "looser" ? "may" : "must"} now be of type ${after} (was ${before ?? "of any type"})`;
  if ((before === EITHER && isEasy(after)) || (after === EITHER && isEasy(before))) {
    tell(pair, "CRD217", effect, change, message);
    return false;
  }
  tell(pair, "CRD201", effect, change, isSaidOnly ? IS_OBJECT : message);
  return before !== undefined && after !== undefined && !areNumbers(before, after);
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
