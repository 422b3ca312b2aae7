// What is advised for a namespace of a live cluster? The answer of `plimsoll resolve` and, for its end, of `plimsoll plan`.

import { isList, isObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import { runCommand } from "../command.ts";
import { shortName } from "./olm-state.ts";
import type { Ending } from "./world.ts";

/** What a generation has, and has not. */
export interface Generation extends Required<Omit<Ending, "broken">> {
  readonly outcome: string;
}

/** The advice for a namespace: the last generation, and the next one. */
export interface Advice extends Generation {
  readonly next: Generation;
  /** Packages that are held back in the end. */
  readonly heldBack: readonly string[];
}

/** What the command needs to know of a cluster. */
export interface Asked {
  readonly kubeconfig: string;
  /** The home of the command. */
  readonly home: string;
}

/** The advice for a namespace as it is now; `prefix` is what all its packages have in front of their names. */
export async function adviceOf(asked: Asked, namespace: string, prefix: string = ""): Promise<Advice> {
  const resolution = await answerOf(asked, "resolve", namespace);
  const operators = objectsOf(resolution.operators);
  const isEnd = operators.every(({ action }) => action === "keep");
  const end = isEnd ? resolution : await answerOf(asked, "plan", namespace);
  const bundles = operators.map(({ bundle }) => `${bundle}`);
  const short = (names: readonly string[]): readonly string[] => names.map((name) => shortName(name, prefix)).sort();
  const generation = (answer: JsonObject, names: readonly string[]): Generation => ({
    outcome: `${answer.outcome}`,
    operators: short(names),
    refused: objectsOf(answer.unsatisfied).map(subscriptionName).sort(),
    waiting: short(
      objectsOf(answer.pendingApproval).flatMap(({ changes }) => objectsOf(changes).map(({ to }) => `${to}`)),
    ),
  });
  return {
    ...generation(end, afterAll(bundles, objectsOf(end.generations).slice(1))),
    next: generation(resolution, bundles),
    heldBack: short(objectsOf(end.heldBack).map((one) => `${one.package}`)),
  };
}

async function answerOf({ kubeconfig, home }: Asked, command: string, namespace: string): Promise<JsonObject> {
  const flags = ["--live", "--kubeconfig", kubeconfig, "--no-instances", "-o", "json"];
  const { code, out, err } = await runCommand([command, "-n", namespace, ...flags], home);
  if (!out.startsWith("{")) throw new Error(`plimsoll ${command} -n ${namespace} ended with ${code}: ${err}`);
  return JSON.parse(out) as JsonObject;
}

/** The operators after the changes of generations. */
function afterAll(operators: readonly string[], generations: readonly JsonObject[]): readonly string[] {
  const current = new Set(operators);
  const steps = generations.flatMap(({ steps: of }) => objectsOf(of));
  for (const { from, to, alsoFrom } of steps.flatMap(({ changes }) => objectsOf(changes))) {
    for (const gone of [from, ...(isList(alsoFrom) ? alsoFrom : [])]) current.delete(`${gone}`);
    if (to !== null) current.add(`${to}`);
  }
  return [...current];
}

/** The name of a Subscription, which is `namespace/name`. */
function subscriptionName({ subscription }: JsonObject): string {
  return `${subscription}`.slice(`${subscription}`.indexOf("/") + 1);
}

function objectsOf(values: Json | undefined): readonly JsonObject[] {
  return isList(values) ? values.filter(isObject) : [];
}
