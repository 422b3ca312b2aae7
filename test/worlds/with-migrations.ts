// What may a plan change that an answer may not? It can have objects stored anew before a version goes: then only the version
// that objects are stored in today is in the way.

import type { ClusterDefinition, Problem } from "../../src/model/problem.ts";

/** The problem as it is after all objects that can be rewritten have been. */
export function migratable(problem: Problem): Problem {
  if (problem.definitions === undefined) return problem;
  return { ...problem, definitions: problem.definitions.map(migrated) };
}

/** Rewriting needs one version to store in, one to ask for, and that every recorded version can be read. */
function migrated(there: ClusterDefinition): ClusterDefinition {
  const { versions, storedVersions } = there.definition;
  const storage = versions.filter((one) => one.storage).map(({ name }) => name);
  const isReadable = storedVersions.every((stored) => versions.some(({ name }) => name === stored));
  if (storage.length !== 1 || !isReadable || !versions.some(({ served }) => served)) return there;
  return { ...there, definition: { ...there.definition, storedVersions: storage } };
}
