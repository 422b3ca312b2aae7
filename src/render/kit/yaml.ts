// How is a value written as YAML that all parsers read the same way? Text that YAML 1.1, YAML 1.2 or Kubernetes might read
// as another type is quoted; nothing is folded, shared or reordered.

import {
  DEFAULT_SCALAR_STYLE_RULES,
  type Document,
  DUMP_SCHEMA,
  dump,
  SCALAR_STYLE,
  type ScalarLayout,
  type ScalarNode,
  type ScalarStyleRule,
  type ScalarTagDefinition,
  type Schema,
  visit,
} from "js-yaml";
import type { Json } from "../../model/json.ts";
import { isUnsafe, replaceUnsafe, withoutCommands } from "./safe-text.ts";

const TEXT = "tag:yaml.org,2002:str";
const INTEGER = "tag:yaml.org,2002:int";

/** Wider than the numbers of any YAML: `-0o7` and `1e400` are numbers to some readers only. */
const LIKE_A_NUMBER = /^[-+]?(?:0[xXoObB][0-9a-fA-F]*|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]*)(?:[eE][-+]?[0-9]*)?)$/;

/** Readers of YAML 1.1 take the underscores out of a number, wherever they are: `0_8`, `0_Xa`. */
function looksLikeANumber(text: string): boolean {
  return LIKE_A_NUMBER.test(text.replaceAll("_", ""));
}

const quoteLikeNumbers: ScalarStyleRule = (layout) => {
  if (layout.node.tag === TEXT && looksLikeANumber(layout.node.value)) layout.style = SCALAR_STYLE.SINGLE_QUOTED;
};

/** Only double quotes can hold an escape; and no line may begin like a command to a build service. */
const quoteUnsafe: ScalarStyleRule = (layout) => {
  const { value } = layout.node;
  if (isUnsafe(value.replaceAll("\n", "")) || withoutCommands(value) !== value)
    layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
};

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

/** Texts beyond this length are written in double quotes without a look at them. */
const LONG_TEXT = 65_536;

/**
 * Keeps long texts away from the library's search for the best style, whose regular expressions overflow the stack at
 * some millions of characters: it sees an empty text, and the rule puts the long one back before it is written.
 */
class LongTexts {
  readonly #texts = new Map<unknown, string>();

  readonly take = (documents: Document[]): void => {
    visit(documents, (node) => {
      if (node.kind !== "scalar" || node.value.length <= LONG_TEXT || node.tag !== TEXT) return;
      this.#texts.set(node, node.value);
      node.value = "";
    });
  };

  readonly putBack: ScalarStyleRule = (layout) => {
    const value = this.#texts.get(layout.node);
    if (value === undefined) return;
    const whole: { node: Pick<ScalarNode, "value"> } & Pick<ScalarLayout, "style"> = {
      node: { ...layout.node, value },
      style: SCALAR_STYLE.DOUBLE_QUOTED,
    };
    Object.assign(layout, whole);
  };
}

export function printYaml(value: Json): string {
  const longTexts = new LongTexts();
  const text = dump(value, {
    schema: SCHEMA,
    scalarStyleRules: [quoteUnsafe, quoteLikeNumbers, ...Object.values(DEFAULT_SCALAR_STYLE_RULES), longTexts.putBack],
    transform: longTexts.take,
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
