// What is there once stored objects have been written again? Which migrations changes need, and the state after those.

import type { CustomResource } from "../model/custom-resource.ts";
import type { ClusterDefinition, Problem } from "../model/problem.ts";
import { type Migration, migrationsFor } from "./migration.ts";
import type { OperatorChange } from "./plan.ts";

/** The migrations that changes need. */
export function migrationsBefore(problem: Problem, changes: readonly OperatorChange[]): readonly Migration[] {
  return migrationsFor(
    problem,
    changes.flatMap(({ to }) => to?.bundle ?? []),
  );
}

/** The problem once stored objects were written again and the versions they were stored in before are forgotten. */
export function migrated(problem: Problem, migrations: readonly Migration[]): Problem {
  if (migrations.length === 0) return problem;
  const byName = new Map(migrations.map((one) => [one.definition.definition.name, one]));
  const definitions = (problem.definitions ?? []).map((one) => {
    const migration = byName.get(one.definition.name);
    return migration === undefined ? one : afterMigration(one, migration);
  });
  return { ...problem, definitions };
}

/** What was given in a version that goes is read in the other from now on; what a webhook makes of it nobody knows. */
function afterMigration(one: ClusterDefinition, { removed, storage, left }: Migration): ClusterDefinition {
  const definition = { ...one.definition, storedVersions: left };
  const { objects } = one;
  if (objects === undefined || !objects.some(({ version }) => removed.includes(version))) return { ...one, definition };
  if (definition.conversionStrategy === "Webhook")
    return { definition, objects: objects.filter(({ version }) => !removed.includes(version)), isPartial: true };
  return {
    ...one,
    definition,
    objects: objects.map((object) => (removed.includes(object.version) ? inVersion(object, storage) : object)),
  };
}

function inVersion(resource: CustomResource, version: string): CustomResource {
  const apiVersion = `${resource.group}/${version}`;
  return { ...resource, version, apiVersion, object: { ...resource.object, apiVersion } };
}
