// How is a value written as YAML that every reader understands alike? What YAML 1.1, YAML 1.2 or Kubernetes might take
// for something other than text is quoted; nothing is folded, shared or reordered.

import {
  DEFAULT_SCALAR_STYLE_RULES,
  DUMP_SCHEMA,
  dump,
  SCALAR_STYLE,
  type ScalarStyleRule,
  type ScalarTagDefinition,
  type Schema,
} from "js-yaml";
import type { Json } from "../model/json.ts";
import { isUnsafe, replaceUnsafe } from "./safe-text.ts";

const TEXT = "tag:yaml.org,2002:str";
const INTEGER = "tag:yaml.org,2002:int";

/** Wider than the numbers of any YAML: `-0o7`, `0_8` and `1e400` are numbers to some readers only. */
const LIKE_A_NUMBER = /^[-+]?(?:0[xXoObB][0-9a-fA-F_]*|[0-9_]*\.?[0-9_]*(?:[eE][-+]?[0-9_]*)?)$/;

const quoteLikeNumbers: ScalarStyleRule = (layout) => {
  if (layout.node.tag === TEXT && LIKE_A_NUMBER.test(layout.node.value)) layout.style = SCALAR_STYLE.SINGLE_QUOTED;
};

/** Only double quotes can hold an escape. */
const quoteUnsafe: ScalarStyleRule = (layout) => {
  if (isUnsafe(layout.node.value.replaceAll("\n", ""))) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
};

const RULES: readonly ScalarStyleRule[] = [quoteUnsafe, quoteLikeNumbers, ...Object.values(DEFAULT_SCALAR_STYLE_RULES)];

/** The library's schema for writing, with integers of any size. */
const SCHEMA: Schema = DUMP_SCHEMA.withTags(anyInteger());

function anyInteger(): ScalarTagDefinition<unknown> {
  const integer = DUMP_SCHEMA.tags.find(({ tagName }) => tagName === INTEGER) as ScalarTagDefinition<unknown>;
  return {
    ...integer,
    identify: (data: unknown) => typeof data === "bigint" || integer.identify(data),
    represent: (data: unknown) => (typeof data === "bigint" ? data.toString() : integer.represent(data)),
  };
}

/** The value as one YAML document, keys in the order given. */
export function printYaml(value: Json): string {
  const text = dump(value, {
    schema: SCHEMA,
    scalarStyleRules: RULES,
    indent: 2,
    lineWidth: -1,
    noRefs: true,
  });
  return replaceUnsafe(text, (character) => {
    if (character === "\n") return character;
    const code = character.codePointAt(0) as number;
    return code > 0xffff
      ? `\\U${code.toString(16).toUpperCase().padStart(8, "0")}`
      : `\\u${code.toString(16).toUpperCase().padStart(4, "0")}`;
  });
}
