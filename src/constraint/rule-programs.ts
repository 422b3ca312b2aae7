// Which program is a CEL rule? Each text is compiled once, however many bundles have it.

import type { Compilation } from "../cel/compile.ts";
import { bundleRule } from "./bundle-environment.ts";

/** How rules are compiled, and the cost limit of one evaluation. */
export interface RuleOptions {
  readonly compat: boolean;
  readonly celCostLimit: number;
}

/** The compiled rules, by their text. */
export class RulePrograms {
  readonly #options: RuleOptions;
  readonly #compiled = new Map<string, Compilation>();

  constructor(options: RuleOptions) {
    this.#options = options;
  }

  /** The rule as a program, or its errors. */
  of(rule: string): Compilation {
    const known = this.#compiled.get(rule);
    if (known !== undefined) return known;
    const { compat, celCostLimit } = this.#options;
    const compilation = bundleRule(rule, { compat });
    compilation.program?.limit({ cost: celCostLimit });
    this.#compiled.set(rule, compilation);
    return compilation;
  }
}
