// Would the API server take the rules of a schema?
//
// As Kubernetes' apiextensions-apiserver v0.36.3 decides when a definition is written: every rule must compile, and must not
// be able to cost too much, alone or with all others.

import { estimateCost } from "../../cel/cost/estimate.ts";
import { product } from "../../cel/cost/range.ts";
import type { Issue } from "../../cel/issue.ts";
import type { Program } from "../../cel/program.ts";
import type { Path } from "../../model/place.ts";
import type { Schema, ValidationRule } from "../schema/schema.ts";
import { grouped, quoted } from "../wording.ts";
import { count, type Declared, MAX_BYTES, sizesOf } from "./declared.ts";
import { MAX_RULES, type Rule, type RuleNode, ruleTree } from "./rule-tree.ts";

/** What is wrong with a rule. */
export interface RuleFault {
  readonly kind: "does-not-compile" | "too-expensive";
  /** The place of the rule's text below the root of the schema. */
  readonly at: Path;
  /** The values that the rule is about: `.spec.a`, with `[*]` for items and values of maps. */
  readonly path: string;
  /** One sentence without a full stop. */
  readonly message: string;
}

/** What a rule may cost, for all values together that an object can have. */
const MAX_COST_OF_RULE = 10_000_000;
/** What all rules of a schema may cost. */
const MAX_COST = 100_000_000;
/** No more faults than this are told. */
const MAX_FAULTS = 1_000;

const NONE: ReadonlySet<ValidationRule> = new Set();

/** What the API server would refuse in the rules of a schema, but for those of which it is known that it takes them. */
export function checkRules(schema: Schema, known: ReadonlySet<ValidationRule> = NONE): readonly RuleFault[] {
  const { root, left } = ruleTree(schema);
  if (root === undefined) return [];
  const inspection = new Inspection(known);
  inspection.tree(root);
  if (left > 0)
    inspection.fault(
      "too-expensive",
      [],
      "",
      `${grouped(left)} rules were not compiled: there are more than ${grouped(MAX_RULES)}, or they are too long`,
    );
  return inspection.faults;
}

/** Where a node stands. */
interface Standing {
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
  /** What the rules that were passed over cost at most. */
  #passedOver = 0;
  #dearest: { readonly cost: number; readonly path: string } = { cost: 0, path: "" };

  constructor(known: ReadonlySet<ValidationRule>) {
    this.#known = known;
  }

  tree(root: RuleNode): void {
    this.node(root, { path: "", most: 1, without: undefined });
    if (this.#cost > 0 && this.#cost <= MAX_COST && this.#cost + this.#passedOver > MAX_COST) {
      // It depends on what the others cost in fact.
      const whole = new Inspection(NONE);
      whole.node(root, { path: "", most: 1, without: undefined });
      this.#cost = whole.#cost;
      this.#dearest = whole.#dearest;
    }
    this.#end();
  }

  fault(kind: RuleFault["kind"], at: Path, path: string, message: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ kind, at, path, message });
  }

  node(node: RuleNode, standing: Standing): void {
    const { schema, declared, properties, values, items } = node;
    if (declared === undefined && schema.validations.length > 0) {
      const message =
        "rules cannot see these values: the schema does not say of which type they, or what is in them, are";
      this.fault("does-not-compile", [...schema.at, "x-kubernetes-validations"], standing.path, message);
    } else if (declared !== undefined) {
      this.#unwritten(schema, standing);
      for (const rule of node.rules) this.#rule(rule, node.schema, declared, standing);
    }
    const below = { ...standing, most: mostBelow(schema, standing.most) };
    for (const { name, node: property } of properties)
      this.node(property, { ...below, path: `${standing.path}.${name}` });
    const each = `${standing.path}[*]`;
    if (values !== undefined) this.node(values, { ...below, path: each });
    if (items === undefined) return;
    const without = standing.without ?? (schema.listType === "map" ? undefined : standing.path);
    this.node(items, { ...below, path: each, without });
  }

  /** Rules without a text. */
  #unwritten(schema: Schema, { path }: Standing): void {
    for (const [index, { rule }] of schema.validations.entries()) {
      if (rule.trim() !== "") continue;
      this.fault(
        "does-not-compile",
        [...schema.at, "x-kubernetes-validations", index, "rule"],
        path,
        "the rule is empty",
      );
    }
  }

  #rule(rule: Rule, schema: Schema, declared: Declared, { path, most, without }: Standing): void {
    const { written } = rule;
    if (this.#known.has(written)) {
      this.#passedOver += written.messageExpression === undefined ? MAX_COST_OF_RULE : 2 * MAX_COST_OF_RULE;
      return;
    }
    const at = [...schema.at, "x-kubernetes-validations", rule.index];
    const refuse = (keyword: string, message: string): void =>
      this.fault("does-not-compile", [...at, keyword], path, message);
    const { compilation, message } = rule;
    const [its, itsMessage] = [
      `the rule ${quoted(written.rule)}`,
      `the messageExpression ${quoted(written.messageExpression ?? "")}`,
    ];
    this.#issues([...at, "rule"], path, its, compilation.errors);
    this.#issues([...at, "messageExpression"], path, itsMessage, message?.errors ?? []);
    for (const problem of writtenProblems(rule)) refuse(...problem);
    if (compilation.program === undefined) return;
    if (rule.usesOldSelf && without !== undefined)
      refuse(
        "rule",
        `${its} cannot be used: items of the list ${without || "itself"} have no old value, \`oldSelf\` needs x-kubernetes-list-type map`,
      );
    if (!rule.usesOldSelf && written.optionalOldSelf)
      refuse("optionalOldSelf", `optionalOldSelf is set, but ${its} does not use \`oldSelf\``);
    const values = most ?? Math.floor(MAX_BYTES / (declared.leastBytes + 1));
    this.#spend([...at, "rule"], path, its, compilation.program, declared, values);
    if (message?.program !== undefined)
      this.#spend([...at, "messageExpression"], path, itsMessage, message.program, declared, 1);
  }

  #issues(at: Path, path: string, what: string, issues: readonly Issue[]): void {
    for (const { message, hint, line, column } of issues) {
      const place = line === 1 ? `column ${column}` : `line ${line}, column ${column}`;
      const told = `${what} does not compile: ${message} (${place})${hint === undefined ? "" : `; ${hint}`}`;
      this.fault("does-not-compile", at, path, told);
    }
  }

  #spend(at: Path, path: string, what: string, program: Program, declared: Declared, values: number): void {
    const { max } = estimateCost(program.checked, program.environment, sizesOf(declared));
    const cost = product(max, values);
    this.#cost += cost;
    if (cost > this.#dearest.cost) this.#dearest = { cost, path };
    if (cost > MAX_COST_OF_RULE) this.fault("too-expensive", at, path, tooMuch(what, cost, MAX_COST_OF_RULE));
  }

  /** What all rules cost together. */
  #end(): void {
    if (this.#cost <= MAX_COST) return;
    const { path } = this.#dearest;
    const message = `${tooMuch("all rules together", this.#cost, MAX_COST)}; the most expensive is on ${path || "the object"}`;
    this.fault("too-expensive", [], "", message);
  }
}

function mostBelow(schema: Schema, most: number | undefined): number | undefined {
  const isMap = schema.type === "object" && schema.additionalProperties !== undefined;
  const factor = isMap ? count(schema.maxProperties) : schema.type === "array" ? count(schema.maxItems) : 1;
  return most === undefined || factor === undefined ? undefined : product(most, factor);
}

/** What is wrong with what stands around the rule: the keyword, and the message. */
function writtenProblems({ written, fieldPath }: Rule): readonly (readonly [string, string])[] {
  const problems: (readonly [string, string])[] = [];
  const message = (written.message ?? "").trim();
  if (written.message !== undefined && written.message !== "" && message === "")
    problems.push(["message", "the message is blank"]);
  else if (message.includes("\n")) problems.push(["message", "the message has line breaks"]);
  else if (written.rule.trim().includes("\n") && message === "")
    problems.push(["message", "a rule with line breaks needs a message"]);
  if (
    written.messageExpression !== undefined &&
    written.messageExpression !== "" &&
    written.messageExpression.trim() === ""
  )
    problems.push(["messageExpression", "the messageExpression is blank"]);
  if (written.reason !== undefined && !REASONS.has(written.reason))
    problems.push(["reason", `the reason must be one of ${[...REASONS].join(", ")}`]);
  if (fieldPath === undefined)
    problems.push(["fieldPath", "the fieldPath leads to nothing that the schema has below the rule"]);
  return problems;
}

const REASONS: ReadonlySet<string> = new Set([
  "FieldValueRequired",
  "FieldValueInvalid",
  "FieldValueForbidden",
  "FieldValueDuplicate",
]);

function tooMuch(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const times = factor > 100 ? "more than 100 times" : `${factor.toFixed(factor < 1.5 ? 4 : 1)} times`;
  return `${what} may cost ${times} the limit of ${grouped(limit)}`;
}
