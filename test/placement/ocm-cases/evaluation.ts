// Does a single expression have the result and the cost of a case?

import { compile } from "../../../src/cel/compile.ts";
import { CelError } from "../../../src/cel/value/value.ts";
import { own } from "../../../src/model/json.ts";
import { clusterBindings, placementEnvironment } from "../../../src/placement/cel/placement-environment.ts";
import { AddOnScores } from "../../../src/placement/score/add-on-scores.ts";
import { firstManifests } from "./manifests.ts";
import type { Case, EvaluationLine } from "./notation.ts";
import { momentOf, readManifests } from "./world.ts";

/** The differences from a case, for each of its expressions. */
export function evaluationDifferences(given: Case): readonly string[] {
  const objects = readManifests(firstManifests(given));
  const addOnScores = AddOnScores.of(objects.addOnPlacementScores, { now: momentOf(given.now) });
  return (given.evaluates ?? []).flatMap((line) => {
    const name = line.cluster ?? "cluster1";
    const cluster = objects.managedClusters.find((found) => found.name === name)?.object ?? {};
    const bindings = line.cluster === null ? { managedCluster: null } : clusterBindings(cluster, addOnScores);
    return ofLine(line, bindings).map((text) => `${line.cel}: ${text}`);
  });
}

function ofLine(line: EvaluationLine, bindings: ReturnType<typeof clusterBindings>): readonly string[] {
  const { program, errors } = compile(line.cel, placementEnvironment);
  const refusal = errors.map(({ message }) => message).join("; ");
  if (program === undefined || line.refused !== undefined)
    return line.refused !== undefined && refusal.includes(line.refused) ? [] : [`refused: ${refusal}`];
  const result = program.evaluate(bindings);
  const found: string[] = [];
  if (result instanceof CelError) {
    if (line.fails === undefined || !result.message.includes(line.fails)) found.push(`fails: ${result.message}`);
  } else if (line.fails !== undefined) found.push(`gives ${JSON.stringify(result)} and does not fail`);
  if (own({ ...line }, "gives") !== undefined && JSON.stringify(result) !== JSON.stringify(line.gives))
    found.push(`gives ${JSON.stringify(result)}`);
  if (line.cost !== undefined && program.cost !== line.cost) found.push(`costs ${program.cost}`);
  return found;
}
