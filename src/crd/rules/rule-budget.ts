// Does a rule hold for a value, and what is told if not? All rules of an object share one budget.

import { LimitError } from "../../cel/plan/frame.ts";
import type { Program } from "../../cel/program.ts";
import { Optional } from "../../cel/value/boxes.ts";
import { CelError, type Result, type Value } from "../../cel/value/value.ts";
import { type Path, printPath } from "../../model/place.ts";
import { grouped } from "../wording.ts";
import type { Rule } from "./rule-tree.ts";

/** What one call of a rule may cost, as in Kubernetes. */
const MAX_COST_OF_CALL = 1_000_000;
/** What all rules of an object may go through where the cost does not show it. */
const MAX_WORK = 10_000_000;
/** How many bytes a message may have that an expression gives, as in Kubernetes. */
const MAX_MESSAGE_BYTES = 5 * 1024;
/** How many characters of a rule are shown. */
const SHOWN = 200;

/** What is told of a rule that does not hold; `isError` if it could not be evaluated. */
export interface RuleMessage {
  readonly text: string;
  readonly isError: boolean;
}

/** What may still be spent on the rules of an object. */
export class RuleBudget {
  /** Why not every rule was decided: the first reason. */
  undecided: string | undefined = undefined;
  readonly #limit: number;
  #cost: number;
  #work = MAX_WORK;
  #isSpent = false;

  constructor(cost: number) {
    this.#limit = cost;
    this.#cost = cost;
  }

  /** Is there nothing left for another rule? */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** What is told of the value; undefined if the rule holds, is not asked, or could not be decided. */
  ask(rule: Rule, self: Value, oldSelf: Value | undefined, path: Path): RuleMessage | undefined {
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
    if (result instanceof CelError)
      return { text: `the rule \`${shown(rule)}\` cannot be evaluated: ${result.message}`, isError: true };
    return { text: this.#messageOf(rule, bindings), isError: false };
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
    const where = path.length === 0 ? "the object" : printPath(path);
    const spent =
      this.#cost <= 0
        ? `the rules of the object cost more than ${grouped(this.#limit)}; no further rules were asked`
        : error.message.replace("the evaluation was stopped: ", "");
    this.undecided ??= `the rule \`${shown(rule)}\` on ${where} was not decided: ${spent}`;
  }

  /** What the author of the rule wants to be told. */
  #messageOf(rule: Rule, bindings: Bindings): string {
    const program = rule.message?.program;
    const made = program === undefined ? undefined : this.#evaluate(program, bindings);
    const text = typeof made === "string" ? made.trim() : "";
    if (text !== "" && !text.includes("\n") && new TextEncoder().encode(text).length <= MAX_MESSAGE_BYTES) return text;
    const message = rule.written.message ?? "";
    return message === "" ? `does not keep a rule: ${shown(rule)}` : message.trim();
  }
}

type Bindings = Readonly<Record<"self" | "oldSelf", Value | undefined>>;

function optional(value: Value | undefined): Optional {
  return value === undefined ? Optional.none : new Optional(value);
}

function shown({ written }: Rule): string {
  const text = written.rule.trim();
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
