// What does an expression of a Placement know, and what does it say of a cluster?
import { type Compilation, compile } from "../../cel/compile.ts";
import { type Environment, environment } from "../../cel/environment.ts";
import { optionalsLibrary } from "../../cel/library/extension/optionals.ts";
import { stringsLibrary } from "../../cel/library/extension/strings.ts";
import { kubernetesLibraries } from "../../cel/library/kubernetes-libraries.ts";
import { standardLibrary } from "../../cel/library/standard/standard.ts";
import type { Bindings } from "../../cel/plan/frame.ts";
import type { Program } from "../../cel/program.ts";
import { BOOL, DYN, mapOf, printType, STRING, shaped } from "../../cel/type.ts";
import { typeOfValue } from "../../cel/value/type-of-value.ts";
import { CelError } from "../../cel/value/value.ts";
import type { JsonObject } from "../../model/json.ts";
import type { AddOnScores } from "../score/add-on-scores.ts";
import { MANAGED_CLUSTER_SHAPE } from "./managed-cluster-shape.ts";
import { managedClusterValue, type WantedFields } from "./managed-cluster-value.ts";
import { placementLibrary, SCORES_BINDING } from "./placement-functions.ts";

/** OCM's environment, with the functions of its first draft added: one variable, `managedCluster`. */
export const placementEnvironment: Environment = environment({
  data: "json",
  libraries: [placementLibrary, standardLibrary, optionalsLibrary, stringsLibrary, ...kubernetesLibraries],
  variables: { managedCluster: shaped(mapOf(STRING, DYN), MANAGED_CLUSTER_SHAPE) },
  numbers: "int",
  costs: "cel",
});

const OCM_ENVIRONMENT: Environment = { ...placementEnvironment, checkLiterals: false };

/**
 * Compiles a `celExpression` of a Placement. It must give a bool, if that can be known before it runs. OCM asks for less: a
 * broken literal or another type is an error only when the expression runs (C26, C37); with `compat` that is a warning.
 */
export function placementExpression(text: string, options: { readonly compat?: boolean } = {}): Compilation {
  const strict = compile(text, placementEnvironment, { result: { type: BOOL, dynAllowed: true } });
  if (options.compat !== true || strict.program !== undefined) return strict;
  const lenient = compile(text, OCM_ENVIRONMENT);
  return lenient.program === undefined ? strict : { ...lenient, warnings: [...strict.warnings, ...strict.errors] };
}

/** What an expression is evaluated with: a cluster, as it was given (or what is wanted of it), and the scores of all clusters. */
export function clusterBindings(cluster: JsonObject, scores?: AddOnScores, wanted?: WantedFields): Bindings {
  return { managedCluster: managedClusterValue(cluster, wanted), [SCORES_BINDING]: scores };
}

/** Does the expression hold for the cluster? Anything but a bool is an error. */
export function evaluateOnCluster(program: Program, bindings: Bindings): boolean | CelError {
  const result = program.evaluate(bindings);
  if (typeof result === "boolean" || result instanceof CelError) return result;
  return new CelError(`the expression must give bool and gave ${printType(typeOfValue(result))}`);
}
