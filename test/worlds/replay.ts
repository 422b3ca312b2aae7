// Does a plan keep its word at every moment? Its steps are taken one by one on the model of the cluster, and after each one
// everything is looked at.

import type { Problem } from "../../src/model/problem.ts";
import type { Generation } from "../../src/plan/plan.ts";
import type { FoundPlan, PlannedStep } from "../../src/plan/plan-draft.ts";
import { actionsIn, type Cluster, clusterOf, problemIn, replayed } from "./api-server.ts";
import { brokenRules, stepFaults } from "./plan-rules.ts";

/** A generation of a namespace, and what was there before it. */
export interface Moment {
  readonly start: Problem;
  readonly generation: Generation<PlannedStep>;
  readonly cluster: Cluster;
}

/** What came of it. */
export interface Replay {
  readonly faults: readonly string[];
  readonly moments: readonly Moment[];
  /** What is there in the end. */
  readonly cluster: Cluster;
}

/** Takes all steps of the plans of some namespaces: each generation of all of them before the next of any. */
export function replay(starts: readonly Problem[], plans: readonly FoundPlan[]): Replay {
  const faults: string[] = [];
  const moments: Moment[] = [];
  let cluster = clusterOf(starts);
  const last = Math.max(0, ...plans.flatMap(({ generations }) => generations.map(({ number }) => number)));
  for (let number = 1; number <= last; number++)
    for (const [position, { generations }] of plans.entries()) {
      const generation = generations.find((one) => one.number === number);
      const start = starts[position];
      if (generation === undefined || start === undefined) continue;
      moments.push({ start, generation, cluster });
      const began = cluster;
      const broken = brokenRules(began, starts);
      for (const [index, step] of generation.steps.entries()) {
        const report = (text: string): void => {
          faults.push(`${start.namespace}, generation ${number}, step ${index + 1}: ${text}`);
        };
        const after = replayed(cluster, start, step.changes, actionsIn(step), report);
        for (const fault of stepFaults(cluster, after, start, step.changes, starts, broken, began)) report(fault);
        cluster = after;
      }
    }
  return { faults, moments, cluster };
}

/** The differences between the end of a plan and the cluster. */
export function differencesAtEnd(cluster: Cluster, plans: readonly FoundPlan[]): readonly string[] {
  return plans.flatMap(({ before, after, namespace }) => {
    const there = problemIn(cluster, before);
    const [planned, found] = [summary(after), summary(asFarAsKnown(there, after))];
    return planned === found ? [] : [`${namespace} should be ${planned}, and is ${found}`];
  });
}

/** Leaves out stored versions that the cluster recorded, if they were not known before. */
function asFarAsKnown(found: Problem, { definitions = [] }: Problem): Problem {
  const unknown = new Set(
    definitions.flatMap(({ definition: { name, storedVersions } }) => (storedVersions.length === 0 ? [name] : [])),
  );
  const known = found.definitions?.map((one) =>
    unknown.has(one.definition.name) ? { ...one, definition: { ...one.definition, storedVersions: [] } } : one,
  );
  return known === undefined ? found : { ...found, definitions: known };
}

function summary({ installed, elsewhere, requests, definitions = [] }: Problem): string {
  return JSON.stringify({
    installed: installed.map(({ name }) => name),
    elsewhere: elsewhere.map(({ namespace, name }) => `${namespace}/${name}`),
    requests: requests.map(({ id, installed: name }) => [id, installed.some((one) => one.name === name) ? name : ""]),
    definitions: definitions.map(({ definition: { name, versions, storedVersions } }) => [
      name,
      versions.map((one) => [one.name, one.served, one.storage]),
      // Where objects are stored today is recorded, whether that was given or not.
      [...new Set([...storedVersions, ...versions.filter((one) => one.storage).map((one) => one.name)])].sort(),
    ]),
  });
}
