// Which values made an expression what it is? Those of the paths and calls that it was decided by, in short.
import { operandOf } from "../../cel/check/attribute.ts";
import type { TraceRecord } from "../../cel/plan/frame.ts";
import { describeValue } from "../../cel/value/describe.ts";
import { CelError } from "../../cel/value/value.ts";
import { shortened } from "../../text/words.ts";
import type { ReadValue } from "../placement-result.ts";

/** How many values are reported. */
const MAX_VALUES = 3;
const MAX_TEXT_LENGTH = 100;

/** The values that an expression read: that of `managedCluster.metadata.labels["env"]` is `"dev"`. */
export function valuesRead(trace: TraceRecord, text: string): readonly ReadValue[] {
  const values: ReadValue[] = [];
  const open: TraceRecord[] = [trace];
  for (let record = open.pop(); record !== undefined && values.length < MAX_VALUES; record = open.pop()) {
    const { node, result, parts } = record;
    if (node.kind === "literal" || node.kind === "identifier" || result instanceof CelError) continue;
    if (operandOf(node) !== undefined || (node.kind === "call" && typeof result !== "boolean" && readsAnything(record)))
      values.push({
        expression: shortened(text.slice(node.start, node.end).replace(/\s+/g, " "), MAX_TEXT_LENGTH),
        value: describeValue(result),
      });
    // For a macro, only the list that it iterates over: there may be too many iterations to show.
    else open.push(...(node.kind === "fold" ? parts.slice(0, 1) : parts).toReversed());
  }
  return values;
}

/** Does some part of it lead into the cluster? */
function readsAnything({ parts }: TraceRecord): boolean {
  return parts.some(
    (part) => part.node.kind === "identifier" || operandOf(part.node) !== undefined || readsAnything(part),
  );
}
