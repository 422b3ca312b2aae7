// Which value does the `fieldPath` of a rule mean? It is written like `.spec['a.b'].c`, below the value of the rule.

import type { Path } from "../../model/place.ts";
import type { Schema } from "../schema/schema.ts";

const STEP = /\.([^.[\]']+)|\['((?:[^'\\]|\\.)*)'\]/y;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["'", "'"],
  ["\\", "\\"],
]);

/** The path to the value; undefined if the schema has no such field. */
export function readFieldPath(text: string, schema: Schema): Path | undefined {
  const path: string[] = [];
  let node: Schema | undefined = schema;
  for (let at = 0; at < text.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const found = STEP.exec(text);
    const name = found?.[1] ?? unescaped(found?.[2]);
    if (name === undefined) return undefined;
    node = childOf(node, name);
    if (node === undefined) return undefined;
    path.push(name);
  }
  return path;
}

function childOf(schema: Schema, name: string): Schema | undefined {
  if (schema.properties.size > 0) return schema.properties.get(name);
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

function unescaped(text: string | undefined): string | undefined {
  let isWrong = text === undefined;
  const result = text?.replace(/\\(.)/gs, (_, character: string) => {
    const meant = ESCAPES.get(character);
    isWrong ||= meant === undefined;
    return meant ?? "";
  });
  return isWrong ? undefined : result;
}
