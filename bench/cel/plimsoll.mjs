// How is our own engine driven? With its bound on cost, as everywhere in the product.
import { pathToFileURL } from "node:url";

const SCORES = "@scores";

/** The engine of a build of ours: what a program answers for an object, and what that costs. */
export async function plimsoll(dist) {
  const load = (path) => import(pathToFileURL(`${dist}/cel/${path}.js`).href);
  const { compile } = await load("compile");
  const { environment } = await load("environment");
  const { standardLibrary } = await load("library/standard/standard");
  const { optionalsLibrary } = await load("library/extension/optionals");
  const { kubernetesSemverLibrary } = await load("library/kubernetes/semver");
  const { memberFunction } = await load("library");
  const { DYN, STRING, listOf, mapOf } = await load("type");
  const { CelError } = await load("value/value");
  const scores = memberFunction(
    "scores",
    "cluster_scores",
    [DYN, STRING],
    listOf(DYN),
    (_cluster, name, running) => running.bindings[SCORES][name] ?? new CelError(`no score ${name}`),
    { resultCost: (_args, result) => (Array.isArray(result) ? 10 + 31 * result.length : 10) },
  );
  const libraries = [
    standardLibrary,
    optionalsLibrary,
    kubernetesSemverLibrary,
    { name: "scores", functions: [scores] },
  ];
  const environments = {
    bundle: environment({ libraries, variables: { properties: listOf(mapOf(STRING, DYN)) }, numbers: "double" }),
    placement: environment({ libraries, variables: { managedCluster: mapOf(STRING, DYN) } }),
  };
  return {
    name: "plimsoll",
    object: ({ properties, managedCluster, scores }) =>
      properties === undefined ? { managedCluster, [SCORES]: scores } : { properties },
    compile: ({ text, env }) => {
      const { program, errors } = compile(text, environments[env]);
      if (program === undefined) throw new Error(errors.map((error) => error.message).join("; "));
      return {
        run: (object) => program.evaluate(object),
        answer: (object) => {
          const result = program.evaluate(object);
          return result instanceof CelError ? "error" : result;
        },
        cost: () => program.cost,
      };
    },
  };
}
