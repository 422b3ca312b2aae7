// Does a rule hold for a value? All rules of an object share one budget.

import { LimitError } from "../../cel/plan/frame.ts";
import type { Program } from "../../cel/program.ts";
import { Optional } from "../../cel/value/boxes.ts";
import { CelError, type Result, type Value } from "../../cel/value/value.ts";
import { type Path, printPath } from "../../model/place.ts";
import { shortened } from "../../text/words.ts";
import type { FaultDetail, UndecidedReason } from "../validate/fault.ts";
import type { Rule } from "./rule-tree.ts";

/** Cost limit for one evaluation of a rule, as in Kubernetes. */
const MAX_COST_OF_CALL = 1_000_000;
/** Limit for the elements and characters that all rules of an object may visit without a charge. */
const MAX_WORK = 10_000_000;
/** Limit for the bytes of a message from a `messageExpression`, as in Kubernetes. */
const MAX_MESSAGE_BYTES = 5 * 1024;
/** How many characters of a rule are shown. */
const SHOWN = 200;

/** A rule that does not hold, or could not be evaluated. */
type RuleFailure = Extract<FaultDetail, { readonly kind: `rule${string}` }>;

/** The remaining budget for the rules of an object. */
export class RuleBudget {
  /** Why not every rule was decided: the first reason. */
  undecided: UndecidedReason | undefined = undefined;
  readonly #limit: number;
  #cost: number;
  #work = MAX_WORK;
  #isSpent = false;

  constructor(cost: number) {
    this.#limit = cost;
    this.#cost = cost;
  }

  /** Is the budget used up? */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** How the rule fails; undefined if it holds, does not apply, or could not be decided. */
  ask(rule: Rule, self: Value, oldSelf: Value | undefined, path: Path): RuleFailure | undefined {
    const { written, compilation } = rule;
    const { program } = compilation;
    if (program === undefined) return undefined;
    if (rule.usesOldSelf && oldSelf === undefined && !written.optionalOldSelf) return undefined;
    const bindings = { self, oldSelf: written.optionalOldSelf ? optional(oldSelf) : oldSelf };
    const result = this.#evaluate(program, bindings);
    if (result === true) return undefined;
    if (result instanceof LimitError) {
      this.#stopped(result, rule, path);
      return undefined;
    }
    if (result instanceof CelError) return { kind: "rule-error", rule: shown(rule), error: result.message };
    return this.#failure(rule, bindings);
  }

  #evaluate(program: Program, bindings: Bindings): Result {
    program.limit({ cost: Math.min(MAX_COST_OF_CALL, this.#cost), work: this.#work });
    const result = program.evaluate(bindings);
    this.#cost -= program.cost;
    this.#work -= program.work;
    return result;
  }

  /** The rule was stopped at a limit: its own, or that of all rules together. */
  #stopped(error: LimitError, rule: Rule, path: Path): void {
    this.#isSpent = this.#cost <= 0 || this.#work <= 0;
    const why = this.#cost <= 0 ? { limit: this.#limit } : { error: error.message };
    this.undecided ??= { kind: "rule", rule: shown(rule), field: printPath(path), ...why };
  }

  /** The message that the author of the rule wrote, or else the rule. */
  #failure(rule: Rule, bindings: Bindings): RuleFailure {
    const program = rule.message?.program;
    const made = program === undefined ? undefined : this.#evaluate(program, bindings);
    const text = typeof made === "string" ? made.trim() : "";
    if (text !== "" && !text.includes("\n") && new TextEncoder().encode(text).length <= MAX_MESSAGE_BYTES)
      return { kind: "rule", message: text };
    const message = rule.written.message ?? "";
    return message === "" ? { kind: "rule-broken", rule: shown(rule) } : { kind: "rule", message: message.trim() };
  }
}

type Bindings = Readonly<Record<"self" | "oldSelf", Value | undefined>>;

function optional(value: Value | undefined): Optional {
  return value === undefined ? Optional.none : new Optional(value);
}

function shown({ written }: Rule): string {
  return shortened(written.rule.trim(), SHOWN);
}
