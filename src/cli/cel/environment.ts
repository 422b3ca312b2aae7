// What does the text of an expression mean in the environment that the user chose?
import { type Compilation, compile } from "../../cel/compile.ts";
import { type Environment, environment } from "../../cel/environment.ts";
import { everyLibrary } from "../../cel/library/every-library.ts";
import type { Library } from "../../cel/library.ts";
import { DYN } from "../../cel/type.ts";
import { bundleRule, olmLibrary } from "../../constraint/bundle-environment.ts";
import { placementEnvironment, placementExpression } from "../../placement/cel/placement-environment.ts";
import { placementLibrary } from "../../placement/cel/placement-functions.ts";
import type { CelOptions, EnvironmentName } from "./options.ts";

/** Compiles expressions in one environment. */
export type Compiler = (text: string) => Compilation;

/** Compiles what is written where the environment belongs: a rule, a celExpression. */
export function checkingCompiler(
  env: EnvironmentName,
  variables: readonly string[],
  options: Pick<CelOptions, "compat">,
): Compiler {
  return env === "placement" ? placementExpression : evaluatingCompiler(env, variables, options);
}

/** Compiles what is to be looked at: on a cluster any value will do. */
export function evaluatingCompiler(
  env: EnvironmentName,
  variables: readonly string[],
  { compat }: Pick<CelOptions, "compat">,
): Compiler {
  switch (env) {
    case "plain": {
      const known = plainEnvironment(variables);
      return (text) => compile(text, known);
    }
    case "bundle":
      return (text) => bundleRule(text, { compat: compat.includes("olm") });
    case "placement":
      return (text) => compile(text, placementEnvironment);
  }
}

/** Also those of the other environments. */
const ALL: readonly Library[] = [...everyLibrary, olmLibrary, placementLibrary];

/** The last environment that was asked for: the lines of a batch mostly want the same. */
let plain: { readonly key: string; readonly environment: Environment } | undefined;

/** Every library, and the variables that the data has, of any type. */
function plainEnvironment(variables: readonly string[]): Environment {
  const key = JSON.stringify(variables.toSorted());
  if (plain?.key !== key) {
    // fromEntries makes `__proto__` an own key; sorted, so that the order of the data changes no message.
    const declared = Object.fromEntries(variables.toSorted().map((name) => [name, DYN]));
    plain = { key, environment: environment({ libraries: ALL, variables: declared, data: "json" }) };
  }
  return plain.environment;
}
