// What is the value of an expression that is evaluated once?
import { compile } from "./compile.ts";
import { CompileError } from "./compile-error.ts";
import type { Environment, EnvironmentOptions } from "./environment.ts";
import type { Bindings } from "./plan/frame.ts";

/**
 * Compiles an expression and evaluates it once, with plain JavaScript in and out. If options without
 * variables are given, or none, the variables are those of the bindings, with the type dyn. Throws a CompileError that shows all mistakes, or an EvaluationError.
 * For an expression that is evaluated several times, `compile` it once.
 */
export function evaluate(
  text: string,
  bindings: Bindings | object = {},
  environment: Environment | EnvironmentOptions = {},
): unknown {
  const variables = Object.fromEntries(Object.keys(bindings).map((name) => [name, "dyn"]));
  const { program, errors } = compile(
    text,
    environment.variables === undefined ? { ...(environment as EnvironmentOptions), variables } : environment,
  );
  if (program === undefined) throw new CompileError(text, errors);
  return program.run(bindings);
}
