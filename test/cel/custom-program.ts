// How does a test evaluate an expression that calls functions of its own?
import { compile } from "../../src/cel/compile.ts";
import type { CelFunction } from "../../src/cel/declare/cel-function.ts";
import { environment } from "../../src/cel/environment.ts";
import { everyLibrary } from "../../src/cel/library/every-library.ts";
import type { Program } from "../../src/cel/program.ts";
import { DYN, type Type } from "../../src/cel/type.ts";
import { CelError } from "../../src/cel/value/value.ts";

/** The expression, compiled with every library and these functions. */
export function programOf(
  text: string,
  variables: Readonly<Record<string, Type | string>>,
  ...functions: CelFunction[]
): Program {
  const { program, errors } = compile(text, environment({ libraries: everyLibrary, functions, variables }));
  if (program === undefined) throw new Error(JSON.stringify(errors));
  return program;
}

/** Its value for this data, each variable being dyn; of an error, the message after `error: `. */
export function answer(text: string, data: Readonly<Record<string, unknown>>, ...functions: CelFunction[]): unknown {
  const variables = Object.fromEntries(Object.keys(data).map((name) => [name, DYN]));
  const result = programOf(text, variables, ...functions).evaluate(data);
  return result instanceof CelError ? `error: ${result.message}` : result;
}
