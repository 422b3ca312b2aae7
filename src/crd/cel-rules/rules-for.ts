// Which rules does an object break?
//
// The order and the limits are those of Kubernetes' apiextensions-apiserver v0.36.3: the rules of a value first, then those
// of what is in it. The API server visits fields in any order; here they are visited by name.

import type { Value } from "../../cel/value/value.ts";
import { compareText, isList, isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { Schema } from "../schema/schema.ts";
import type { UndecidedReason } from "../validate/fault.ts";
import type { ObjectFault } from "../validate/validator.ts";
import { isUnchanged, oldItems, type Pair } from "./correlate.ts";
import { RuleBudget } from "./rule-budget.ts";
import { MAX_RULES, type Rule, type RuleNode, ruleTree } from "./rule-tree.ts";

/** The rules of a schema, ready to validate objects. */
export interface ObjectRules {
  /** What is wrong with an object that was once another one, or is new; no more faults than `most` are looked for. */
  check(
    object: JsonObject,
    old: JsonObject | undefined,
    most: number,
  ): { readonly faults: readonly ObjectFault[]; readonly undecided: UndecidedReason | undefined };
}

/** The rules of a schema; undefined if it has none. Rules that do not compile are left out: see check-rules.ts. */
export function rulesFor(schema: Schema, options: { readonly celCostLimit: number }): ObjectRules | undefined {
  const { root, left } = ruleTree(schema);
  if (root === undefined) return undefined;
  const notCompiled = left === 0 ? undefined : ({ kind: "rules-not-compiled", left, limit: MAX_RULES } as const);
  return {
    check(object, old, most) {
      const asking = new Asking(options.celCostLimit, most);
      const pair = old === undefined ? undefined : { schema: root.schema, value: object, old };
      asking.ask(root, { value: object, old, seen: undefined, seenOld: undefined, pair, above: undefined }, []);
      return { faults: asking.faults, undecided: asking.budget.undecided ?? notCompiled };
    },
  };
}

/** A value that rules are evaluated on. */
interface Subject {
  readonly value: Json;
  /** What it was before, where there is something to compare it with. */
  readonly old: Json | undefined;
  /** What rules see of both, as far as that is known from the value around it. */
  readonly seen: Value | undefined;
  readonly seenOld: Value | undefined;
  /** The value with its old one; and the nearest value around it that has one. */
  readonly pair: Pair | undefined;
  readonly above: Pair | undefined;
}

/** Visits an object until there are enough faults or the budget is spent. */
class Asking {
  readonly faults: ObjectFault[] = [];
  readonly budget: RuleBudget;
  readonly #most: number;

  constructor(costLimit: number, most: number) {
    this.budget = new RuleBudget(costLimit);
    this.#most = most;
  }

  get #isOver(): boolean {
    return this.budget.isSpent || this.faults.length >= this.#most;
  }

  ask(node: RuleNode, subject: Subject, path: Path): void {
    if (subject.value === null || this.#isOver) return;
    let inner = subject;
    if (node.rules.length > 0) {
      // Values are read only where a rule uses them; a message can use the old value only where a rule does.
      const old = node.rules.some((rule) => rule.usesOldSelf) ? (subject.old ?? undefined) : undefined;
      const seen = subject.seen ?? node.read(subject.value);
      const seenOld = old === undefined ? undefined : (subject.seenOld ?? node.read(old));
      inner = { ...subject, seen, seenOld };
      for (const rule of node.rules) {
        if (this.#isOver) return;
        this.#askRule(node, rule, inner, seen, seenOld, path);
      }
    }
    if (isList(inner.value)) this.#askItems(node, inner, inner.value, path);
    else if (isObject(inner.value)) this.#askFields(node, inner, inner.value, path);
  }

  #askRule(node: RuleNode, rule: Rule, subject: Subject, self: Value, oldSelf: Value | undefined, path: Path): void {
    const detail = this.budget.ask(rule, self, oldSelf, path);
    if (detail === undefined) return;
    const isError = detail.kind === "rule-error";
    // Ratcheting: a value that was invalid before and is unchanged is accepted; an error is not.
    if (!isError && !rule.usesOldSelf && wasSoBefore(subject)) return;
    this.faults.push({
      path: isError ? path : [...path, ...(rule.fieldPath ?? [])],
      keyword: "x-kubernetes-validations",
      detail,
      at: [...node.schema.at, "x-kubernetes-validations", rule.index],
    });
  }

  #askItems(node: RuleNode, subject: Subject, list: readonly Json[], path: Path): void {
    const { items, schema } = node;
    if (items === undefined) return;
    const find = oldItems(schema, subject.old);
    for (let index = 0; index < list.length && !this.#isOver; index++) {
      const value = list[index] as Json;
      const old = find(value);
      this.ask(
        items,
        {
          value,
          old,
          seen: elementOf(subject.seen, index),
          seenOld: undefined,
          ...related(subject, items, value, old),
        },
        [...path, index],
      );
    }
  }

  #askFields(node: RuleNode, subject: Subject, object: JsonObject, path: Path): void {
    const { properties, values } = node;
    if (values !== undefined)
      for (const key of Object.keys(object).sort(compareText)) this.#askField(values, subject, object, key, key, path);
    for (const { name, escaped, node: below } of properties)
      if (Object.hasOwn(object, name)) this.#askField(below, subject, object, name, escaped, path);
  }

  #askField(
    node: RuleNode,
    subject: Subject,
    object: JsonObject,
    name: string,
    escaped: string | undefined,
    path: Path,
  ): void {
    const value = object[name] as Json;
    const old = isObject(subject.old) ? own(subject.old, name) : undefined;
    const isVersion = subject.above === undefined && path.length === 0 && (name === "apiVersion" || name === "kind");
    this.ask(
      node,
      {
        value,
        old: old ?? undefined,
        seen: fieldOf(subject.seen, escaped),
        seenOld: fieldOf(subject.seenOld, escaped),
        ...(isVersion ? UNRELATED : related(subject, node, value, old)),
      },
      [...path, name],
    );
  }
}

const UNRELATED = { pair: undefined, above: undefined };

/** The old value of something in the subject; if it has none, the nearest value around it that has one counts. */
function related(
  subject: Subject,
  { schema }: RuleNode,
  value: Json,
  old: Json | undefined,
): Pick<Subject, "pair" | "above"> {
  if (subject.pair === undefined) return { pair: undefined, above: subject.above };
  return { pair: old === undefined ? undefined : { schema, value, old }, above: subject.pair };
}

function wasSoBefore({ pair, above }: Subject): boolean {
  const nearest = pair ?? above;
  return nearest !== undefined && isUnchanged(nearest);
}

function elementOf(list: Value | undefined, index: number): Value | undefined {
  return isList(list as Json) ? ((list as readonly Value[])[index] as Value) : undefined;
}

function fieldOf(object: Value | undefined, name: string | undefined): Value | undefined {
  return name !== undefined && isObject(object as Json)
    ? (own(object as JsonObject, name) as Value | undefined)
    : undefined;
}
