// How is our own engine driven? In the environments of the product, with its bound on cost.
import { moduleOf } from "../modules.mjs";

/** The engine of a build of ours: what a program answers for an object, and what that costs. */
export async function plimsoll(dist) {
  const load = (path) => moduleOf(dist, path);
  const { compile } = await load("cel/compile");
  const { CelError } = await load("cel/value/value");
  const { parseTimestamp } = await load("cel/value/timestamp");
  const { bundleEnvironment } = await load("constraint/bundle-environment");
  const { placementEnvironment } = await load("placement/cel/placement-environment");
  const { SCORES_BINDING } = await load("placement/cel/placement-functions");
  const { AddOnScores } = await load("placement/score/add-on-scores");
  const environments = { bundle: bundleEnvironment(), placement: placementEnvironment };
  const book = new AddOnScores({ now: parseTimestamp("2026-01-01T00:00:00Z") });
  return {
    name: "plimsoll",
    object: ({ properties, managedCluster, scores }) => {
      if (properties !== undefined) return { properties };
      for (const [resource, entries] of Object.entries(scores ?? {})) {
        book.add(managedCluster.metadata.name, resource, { scores: entries });
      }
      return { managedCluster, [SCORES_BINDING]: book };
    },
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
