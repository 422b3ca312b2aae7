// Which nodes of a schema have rules, at them or below, and what is the result of compiling them?

import type { Compilation } from "../../cel/compile.ts";
import { SIMPLE_ESCAPES } from "../../cel/parse/quoted-literal.ts";
import { MAX_EXPRESSION_LENGTH } from "../../cel/parse/size-limit.ts";
import { BOOL, STRING, type Type } from "../../cel/type.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { Schema, ValidationRule } from "../schema/schema.ts";
import { type Declared, declare } from "./declared.ts";
import { escapeName } from "./escape-name.ts";
import { compileAs, ruleEnvironment, usesOldSelf } from "./rule-environment.ts";
import { readerFor, type ValueReader } from "./value-reader.ts";

/** A rule, compiled on demand. */
export interface Rule {
  readonly written: ValidationRule;
  /** Its position among the rules of the node. */
  readonly index: number;
  readonly compilation: Compilation;
  readonly usesOldSelf: boolean;
  /** The compiled `messageExpression`; undefined if there is none. */
  readonly message: Compilation | undefined;
  /** The path of a fault, below the value; undefined if the `fieldPath` is invalid. */
  readonly fieldPath: Path | undefined;
}

/** A node with rules at it or below it. */
export interface RuleNode {
  readonly schema: Schema;
  /** What rules know of its values; undefined if rules cannot see them: its rules are not compiled then. */
  readonly declared: Declared | undefined;
  readonly rules: readonly Rule[];
  /** Converts a value to what rules see. */
  readonly read: ValueReader;
  /** The properties with rules, by name. */
  readonly properties: readonly Readonly<{ name: string; escaped: string | undefined; node: RuleNode }>[];
  /** The values of a map. */
  readonly values: RuleNode | undefined;
  /** The items of a list. */
  readonly items: RuleNode | undefined;
}

/** The rules of a schema. */
export interface RuleTree {
  readonly root: RuleNode | undefined;
  /** The number of rules that were skipped because of the limits. */
  readonly left: number;
}

/** Limit for the rules of a schema that are compiled. */
export const MAX_RULES = 10_000;
/** Limit for the characters of all rules of a schema together. */
export const MAX_RULE_TEXT = 2_000_000;

const known = new WeakMap<Schema, RuleTree>();

/** The rules of a schema; each is compiled at most once. */
export function ruleTree(schema: Schema): RuleTree {
  return getOrAdd(known, schema, () => makeTree(schema));
}

function makeTree(schema: Schema): RuleTree {
  if (!hasRules(schema)) return { root: undefined, left: 0 };
  const growth = new Growth();
  const root = growth.node(schema, declare(schema, true, ""), true);
  return { root, left: growth.left };
}

/** Does the node have rules, or any node below it? Rules in allOf and similar keywords do not count: no definition may have them. */
export function hasRules(schema: Schema): boolean {
  if (schema.validations.length > 0) return true;
  for (const property of schema.properties.values()) if (hasRules(property)) return true;
  const { items, additionalProperties } = schema;
  return (
    (items !== undefined && hasRules(items)) ||
    (typeof additionalProperties === "object" && hasRules(additionalProperties))
  );
}

/** Builds the tree within the limits. */
class Growth {
  left = 0;
  #rules = 0;
  #text = 0;

  /** The node, if there are rules at it or below it. */
  node(schema: Schema, declared: Declared | undefined, isResource: boolean): RuleNode | undefined {
    const rules = this.#rulesOf(schema, declared);
    const properties = [...schema.properties]
      .sort(([a], [b]) => compareText(a, b))
      .flatMap(([name, property]) => {
        const escaped = escapeName(name);
        const own =
          escaped === undefined
            ? declare(property, property.embeddedResource, `.${name}`)
            : declared?.fields?.get(escaped);
        const node = this.node(property, own, property.embeddedResource);
        return node === undefined ? [] : [{ name, escaped, node }];
      });
    const values = this.#below(schema.additionalProperties, declared);
    const items = this.#below(schema.items, declared);
    if (schema.validations.length === 0 && properties.length === 0 && values === undefined && items === undefined)
      return undefined;
    let reader: ValueReader | undefined;
    const read: ValueReader = (value) => {
      reader ??= readerFor(schema, isResource) ?? ((same) => same);
      return reader(value);
    };
    return { schema, declared, rules, read, properties, values, items };
  }

  #below(schema: Schema | boolean | undefined, declared: Declared | undefined): RuleNode | undefined {
    return typeof schema === "object" ? this.node(schema, declared?.elements, schema.embeddedResource) : undefined;
  }

  #rulesOf(schema: Schema, declared: Declared | undefined): readonly Rule[] {
    if (declared === undefined) return [];
    return schema.validations.flatMap((written, index) => {
      if (written.rule.trim() === "") return [];
      this.#rules++;
      this.#text += workOf(written.rule) + workOf(written.messageExpression ?? "");
      if (this.#rules > MAX_RULES || this.#text > MAX_RULE_TEXT) {
        this.left++;
        return [];
      }
      return [lazyRule(written, index, schema, declared)];
    });
  }
}

/** A text that is too long is skipped. */
function workOf(text: string): number {
  return text.length > MAX_EXPRESSION_LENGTH ? 0 : text.length;
}

/** A rule that is compiled on demand: most rules of a schema were known before. */
function lazyRule(written: ValidationRule, index: number, schema: Schema, { type }: Declared): Rule {
  let compiled: Compiled | undefined;
  const result = (): Compiled => {
    compiled ??= compiledRule(written, type);
    return compiled;
  };
  return {
    written,
    index,
    fieldPath: written.fieldPath === undefined ? [] : readFieldPath(written.fieldPath, schema),
    get compilation() {
      return result().compilation;
    },
    get usesOldSelf() {
      return result().usesOldSelf;
    },
    get message() {
      return result().message;
    },
  };
}

type Compiled = Pick<Rule, "compilation" | "usesOldSelf" | "message">;

function compiledRule({ rule, messageExpression, optionalOldSelf }: ValidationRule, self: Type): Compiled {
  const environment = ruleEnvironment(self, optionalOldSelf);
  const compilation = compileAs(BOOL, rule, environment);
  return {
    compilation,
    usesOldSelf: compilation.program !== undefined && usesOldSelf(compilation.program),
    message: messageExpression === undefined ? undefined : compileAs(STRING, messageExpression, environment),
  };
}

const STEP = /\.([^.[\]']+)|\['((?:[^'\\]|\\.)*)'\]/y;

/** The escapes that a path may have, of those of CEL. */
const ESCAPES = "abfnrtv'\\";

/** The path to the value; undefined if the schema has no such field. */
function readFieldPath(text: string, schema: Schema): Path | undefined {
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
    const meant = ESCAPES.includes(character) ? SIMPLE_ESCAPES.get(character) : undefined;
    isWrong ||= meant === undefined;
    return meant ?? "";
  });
  return isWrong ? undefined : result;
}
