// Would the API server accept the rules of a schema?
//
// As Kubernetes' apiextensions-apiserver v0.36.3 decides when a definition is written: every rule must compile, and the
// estimated cost of each rule and of all rules together must be within the limits.

import { estimateCost } from "../../cel/cost/estimate.ts";
import { product } from "../../cel/cost/range.ts";
import type { Issue } from "../../cel/issue.ts";
import type { Program } from "../../cel/program.ts";
import type { Path } from "../../model/place.ts";
import { quoted } from "../../text/words.ts";
import type { Schema, ValidationRule } from "../schema/schema.ts";
import { count, type Declared, MAX_BYTES, sizesOf } from "./declared.ts";
import { MAX_RULES, type Rule, type RuleNode, ruleTree } from "./rule-tree.ts";

/** What is wrong with a rule. */
export interface RuleFault {
  readonly kind: "does-not-compile" | "too-expensive";
  /** The place of the rule's text below the root of the schema. */
  readonly at: Path;
  /** The values that the rule is about: `.spec.a`, with `[*]` for items and values of maps. */
  readonly path: string;
  readonly detail: RuleFaultDetail;
}

/** A rule, or the expression of its message, in quotes. */
export interface RuleText {
  readonly of: "rule" | "messageExpression";
  readonly text: string;
}

/** What is wrong. Plain data: the sentences are in render/sentence/schema-fault.ts. */
export type RuleFaultDetail =
  | { readonly kind: "not-compiled"; readonly left: number; readonly limit: number }
  | { readonly kind: "untyped" | "empty" }
  /** `message` and `hint` in the words of CEL. */
  | ({ readonly kind: "issue" } & RuleText & Pick<Issue, "message" | "hint" | "line" | "column">)
  | { readonly kind: "message-blank" | "message-breaks" | "message-missing" | "expression-blank" | "field-path" }
  | { readonly kind: "reason"; readonly allowed: readonly string[] }
  /** `list`: the path of the list around the rule; empty for the value itself. */
  | { readonly kind: "no-old-self"; readonly rule: string; readonly list: string }
  | { readonly kind: "old-self-unused"; readonly rule: string }
  /** `factor`: how many times the limit; missing where it is more than 100. */
  | ({ readonly kind: "cost"; readonly factor?: number; readonly limit: number } & RuleText)
  | { readonly kind: "total-cost"; readonly factor?: number; readonly limit: number; readonly path: string };

/** Cost limit for one rule, over all values that an object can have. */
const MAX_COST_OF_RULE = 10_000_000;
/** Cost limit for all rules of a schema. */
const MAX_COST = 100_000_000;
/** Limit for the number of reported faults. */
const MAX_FAULTS = 1_000;

/** How much of a rule is shown. */
const MAX_RULE_LENGTH = 200;

const NONE: ReadonlySet<ValidationRule> = new Set();

/** What the API server would refuse in the rules of a schema, except for `known` ones, which it accepts. */
export function checkRules(schema: Schema, known: ReadonlySet<ValidationRule> = NONE): readonly RuleFault[] {
  const { root, left } = ruleTree(schema);
  if (root === undefined) return [];
  const inspection = new Inspection(known);
  inspection.tree(root);
  if (left > 0) inspection.fault("too-expensive", [], "", { kind: "not-compiled", left, limit: MAX_RULES });
  return inspection.faults;
}

/** The surroundings of a node in the schema. */
interface Surroundings {
  readonly path: string;
  /** How many values of it an object can have; undefined if nothing around it bounds them. */
  readonly most: number | undefined;
  /** The list around it whose items have no old values. */
  readonly without: string | undefined;
}

class Inspection {
  readonly faults: RuleFault[] = [];
  readonly #known: ReadonlySet<ValidationRule>;
  #cost = 0;
  /** The maximum cost of the rules that were skipped as known. */
  #passedOver = 0;
  #mostExpensive: { readonly cost: number; readonly path: string } = { cost: 0, path: "" };

  constructor(known: ReadonlySet<ValidationRule>) {
    this.#known = known;
  }

  tree(root: RuleNode): void {
    this.node(root, { path: "", most: 1, without: undefined });
    if (this.#cost > 0 && this.#cost <= MAX_COST && this.#cost + this.#passedOver > MAX_COST) {
      // Only the real estimates of the skipped rules decide.
      const whole = new Inspection(NONE);
      whole.node(root, { path: "", most: 1, without: undefined });
      this.#cost = whole.#cost;
      this.#mostExpensive = whole.#mostExpensive;
    }
    this.#end();
  }

  fault(kind: RuleFault["kind"], at: Path, path: string, detail: RuleFaultDetail): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ kind, at, path, detail });
  }

  node(node: RuleNode, around: Surroundings): void {
    const { schema, declared, properties, values, items } = node;
    if (declared === undefined && schema.validations.length > 0) {
      const at = [...schema.at, "x-kubernetes-validations"];
      this.fault("does-not-compile", at, around.path, { kind: "untyped" });
    } else if (declared !== undefined) {
      this.#unwritten(schema, around);
      for (const rule of node.rules) this.#rule(rule, node.schema, declared, around);
    }
    const below = { ...around, most: mostBelow(schema, around.most) };
    for (const { name, node: property } of properties)
      this.node(property, { ...below, path: `${around.path}.${name}` });
    const each = `${around.path}[*]`;
    if (values !== undefined) this.node(values, { ...below, path: each });
    if (items === undefined) return;
    const without = around.without ?? (schema.listType === "map" ? undefined : around.path);
    this.node(items, { ...below, path: each, without });
  }

  /** Reports empty rules. */
  #unwritten(schema: Schema, { path }: Surroundings): void {
    for (const [index, { rule }] of schema.validations.entries()) {
      if (rule.trim() !== "") continue;
      const at = [...schema.at, "x-kubernetes-validations", index, "rule"];
      this.fault("does-not-compile", at, path, { kind: "empty" });
    }
  }

  #rule(rule: Rule, schema: Schema, declared: Declared, { path, most, without }: Surroundings): void {
    const { written } = rule;
    if (this.#known.has(written)) {
      this.#passedOver += written.messageExpression === undefined ? MAX_COST_OF_RULE : 2 * MAX_COST_OF_RULE;
      return;
    }
    const at = [...schema.at, "x-kubernetes-validations", rule.index];
    const refuse = (keyword: string, detail: RuleFaultDetail): void =>
      this.fault("does-not-compile", [...at, keyword], path, detail);
    const { compilation, message } = rule;
    const text = quoted(written.rule, MAX_RULE_LENGTH);
    const its = { of: "rule", text } as const;
    const itsMessage = {
      of: "messageExpression",
      text: quoted(written.messageExpression ?? "", MAX_RULE_LENGTH),
    } as const;
    this.#issues([...at, "rule"], path, its, compilation.errors);
    this.#issues([...at, "messageExpression"], path, itsMessage, message?.errors ?? []);
    for (const problem of writtenProblems(rule)) refuse(...problem);
    if (compilation.program === undefined) return;
    if (rule.usesOldSelf && without !== undefined) refuse("rule", { kind: "no-old-self", rule: text, list: without });
    if (!rule.usesOldSelf && written.optionalOldSelf)
      refuse("optionalOldSelf", { kind: "old-self-unused", rule: text });
    const values = most ?? Math.floor(MAX_BYTES / (declared.leastBytes + 1));
    this.#spend([...at, "rule"], path, its, compilation.program, declared, values);
    if (message?.program !== undefined)
      this.#spend([...at, "messageExpression"], path, itsMessage, message.program, declared, 1);
  }

  #issues(at: Path, path: string, what: RuleText, issues: readonly Issue[]): void {
    for (const { message, hint, line, column } of issues) {
      const said = { message, ...(hint !== undefined && { hint }), line, column };
      this.fault("does-not-compile", at, path, { kind: "issue", ...what, ...said });
    }
  }

  #spend(at: Path, path: string, what: RuleText, program: Program, declared: Declared, values: number): void {
    const { max } = estimateCost(program.checked, program.environment, sizesOf(declared));
    const cost = product(max, values);
    this.#cost += cost;
    if (cost > this.#mostExpensive.cost) this.#mostExpensive = { cost, path };
    if (cost > MAX_COST_OF_RULE)
      this.fault("too-expensive", at, path, { kind: "cost", ...what, ...excess(cost, MAX_COST_OF_RULE) });
  }

  /** Reports rules that together exceed the limit. */
  #end(): void {
    if (this.#cost <= MAX_COST) return;
    const { path } = this.#mostExpensive;
    this.fault("too-expensive", [], "", { kind: "total-cost", ...excess(this.#cost, MAX_COST), path });
  }
}

function mostBelow(schema: Schema, most: number | undefined): number | undefined {
  const isMap = schema.type === "object" && schema.additionalProperties !== undefined;
  const factor = isMap ? count(schema.maxProperties) : schema.type === "array" ? count(schema.maxItems) : 1;
  return most === undefined || factor === undefined ? undefined : product(most, factor);
}

/** What is wrong with the other fields of the rule, by keyword. */
function writtenProblems({ written, fieldPath }: Rule): readonly (readonly [string, RuleFaultDetail])[] {
  const problems: (readonly [string, RuleFaultDetail])[] = [];
  const message = (written.message ?? "").trim();
  if (written.message !== undefined && written.message !== "" && message === "")
    problems.push(["message", { kind: "message-blank" }]);
  else if (message.includes("\n")) problems.push(["message", { kind: "message-breaks" }]);
  else if (written.rule.trim().includes("\n") && message === "")
    problems.push(["message", { kind: "message-missing" }]);
  if (
    written.messageExpression !== undefined &&
    written.messageExpression !== "" &&
    written.messageExpression.trim() === ""
  )
    problems.push(["messageExpression", { kind: "expression-blank" }]);
  if (written.reason !== undefined && !REASONS.has(written.reason))
    problems.push(["reason", { kind: "reason", allowed: [...REASONS] }]);
  if (fieldPath === undefined) problems.push(["fieldPath", { kind: "field-path" }]);
  return problems;
}

const REASONS: ReadonlySet<string> = new Set(
  "FieldValueRequired FieldValueInvalid FieldValueForbidden FieldValueDuplicate".split(" "),
);

function excess(cost: number, limit: number): { readonly factor?: number; readonly limit: number } {
  return cost > 100 * limit ? { limit } : { factor: cost / limit, limit };
}
