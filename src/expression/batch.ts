// What is the value of each expression of a batch? A line of JSON asks for one, with the data that it is evaluated on.

import type { Compilation } from "../cel/compile.ts";
import type { Bindings } from "../cel/plan/frame.ts";
import type { Timestamp } from "../cel/value/timestamp.ts";
import { BoundFault, checkBounds } from "../input/document.ts";
import { readJson, TextFault } from "../input/json-text.ts";
import { DEFAULT_LIMITS, printBytes } from "../input/limits.ts";
import { isList, isObject, type Json, type JsonObject, own, typeName } from "../model/json.ts";
import type { ClusterScore } from "../model/placement-score.ts";
import { clusterBindings } from "../placement/cel/placement-environment.ts";
import { AddOnScores } from "../placement/score/add-on-scores.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { ENVIRONMENTS, type EnvironmentName } from "./environment-names.ts";
import { type CompatOptions, evaluatingCompiler } from "./environments.ts";
import { type Evaluated, evaluateOn } from "./evaluate.ts";
import { propertyBindings } from "./subjects.ts";

/** How the lines of a batch are answered. */
export interface BatchOptions extends CompatOptions {
  /** The environment of a line that names none. */
  readonly env: EnvironmentName;
  /** All lines are answered for the same time. */
  readonly now: Timestamp;
  readonly isTraced: boolean;
  readonly costLimit?: number | undefined;
  readonly maxLineBytes: number;
}

/** The answer to a line; `id` is the one of the line. */
export type BatchAnswer = { readonly id: Json } & (
  | { readonly kind: "fault"; readonly message: string }
  | { readonly kind: "invalid"; readonly compilation: Compilation; readonly env: EnvironmentName }
  | { readonly kind: "value"; readonly evaluated: Evaluated }
);

/** What is wrong with a line. */
class LineFault extends Error {}

/** How many compiled expressions are kept. */
const MAX_COMPILED = 1000;

/** Answers lines one by one. */
export class ExpressionBatch {
  readonly #options: BatchOptions;
  readonly #compiled = new Map<string, Compilation>();

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  /** Answers a line; `undefined` is one that was too long to be read. */
  answer(line: string | undefined): BatchAnswer {
    let id: Json = null;
    try {
      const question = this.#read(line);
      id = own(question, "id") ?? null;
      return this.#evaluate(id, question);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      return { id, kind: "fault", message: error.message };
    }
  }

  #read(line: string | undefined): JsonObject {
    if (line === undefined) throw new LineFault(`the line is longer than ${printBytes(this.#options.maxLineBytes)}`);
    const value = readLine(line);
    if (!isObject(value)) throw new LineFault(`the line is ${typeName(value)}, not an object`);
    return value;
  }

  #evaluate(id: Json, question: JsonObject): BatchAnswer {
    const text = own(question, "expression");
    if (typeof text !== "string") throw new LineFault(`expression must be text, but is ${typeName(text)}`);
    const env = environmentOf(own(question, "env") ?? null, this.#options.env);
    const data = own(question, "data") ?? {};
    if (!isObject(data)) throw new LineFault(`data must be an object, but is ${typeName(data)}`);
    const compilation = this.#compile(env, text, env === "plain" ? Object.keys(data) : []);
    const { program } = compilation;
    if (program === undefined) return { id, kind: "invalid", compilation, env };
    const { costLimit, isTraced } = this.#options;
    if (costLimit !== undefined) program.limit({ cost: costLimit });
    const bindings = this.#bindings(env, data);
    return { id, kind: "value", evaluated: evaluateOn(program, { bindings: () => bindings }, isTraced) };
  }

  #compile(env: EnvironmentName, text: string, variables: readonly string[]): Compilation {
    const key = JSON.stringify([env, text, ...variables.toSorted()]);
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
    const compilation = evaluatingCompiler(env, variables, this.#options)(text);
    this.#compiled.set(key, compilation);
    return compilation;
  }

  #bindings(env: EnvironmentName, data: JsonObject): Bindings {
    switch (env) {
      case "plain":
        return data;
      case "bundle": {
        const properties = own(data, "properties") ?? [];
        if (!isList(properties)) throw new LineFault(`data.properties must be a list, but is ${typeName(properties)}`);
        return propertyBindings(properties);
      }
      case "placement": {
        const cluster = own(data, "managedCluster");
        if (cluster === undefined) return {};
        if (!isObject(cluster))
          throw new LineFault(`data.managedCluster must be an object, but is ${typeName(cluster)}`);
        return clusterBindings(cluster, this.#scores(cluster, own(data, "scores") ?? {}));
      }
    }
  }

  /** The scores of the cluster of the line: by resource, a list, or an object with `scores` and `validUntil`. */
  #scores(cluster: JsonObject, scores: Json): AddOnScores {
    const { now, compat } = this.#options;
    const book = new AddOnScores({ now, ignoreExpiry: compat.includes("ocm") });
    const metadata = own(cluster, "metadata");
    const name = metadata !== undefined && isObject(metadata) ? own(metadata, "name") : undefined;
    if (!isObject(scores)) throw new LineFault(`data.scores must be an object, but is ${typeName(scores)}`);
    for (const resource of Object.keys(scores)) {
      const given = scores[resource] as Json;
      const list = isObject(given) ? own(given, "scores") : given;
      const validUntil = isObject(given) ? own(given, "validUntil") : undefined;
      if (list === undefined || !isList(list) || !list.every(isScore)) {
        throw new LineFault(`data.scores.${resource} must be a list of objects with name and value`);
      }
      if (typeof name === "string") {
        book.add(name, resource, {
          scores: list as unknown as readonly ClusterScore[],
          validUntil: typeof validUntil === "string" ? validUntil : undefined,
        });
      }
    }
    return book;
  }
}

function isScore(score: Json): boolean {
  return isObject(score) && typeof own(score, "name") === "string" && Number.isSafeInteger(own(score, "value"));
}

function environmentOf(given: Json, otherwise: EnvironmentName): EnvironmentName {
  if (given === null) return otherwise;
  const found = ENVIRONMENTS.find((name) => name === given);
  if (found !== undefined) return found;
  const meant = typeof given === "string" ? didYouMean(given, ENVIRONMENTS) : undefined;
  throw new LineFault(
    `env must be one of ${ENVIRONMENTS.join(", ")}${meant === undefined ? "" : `; did you mean ${meant}?`}`,
  );
}

/** Numbers beyond 2^53 keep their digits. */
function readLine(line: string): Json {
  try {
    if (/\d{16}/.test(line)) return readJson(line, DEFAULT_LIMITS.maxDepth);
    const value = JSON.parse(line) as Json;
    checkBounds(value, DEFAULT_LIMITS);
    return value;
  } catch (error) {
    if (error instanceof BoundFault || error instanceof TextFault) throw new LineFault(positioned(error));
    if (!(error instanceof SyntaxError)) throw error;
    throw new LineFault(whyNotJson(line));
  }
}

function positioned(error: BoundFault | TextFault): string {
  return error instanceof TextFault ? `${error.message} (column ${error.position + 1})` : error.message;
}

function whyNotJson(line: string): string {
  try {
    readJson(line, DEFAULT_LIMITS.maxDepth);
    return "the line is not JSON";
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    return `the line is not JSON: ${positioned(error)}`;
  }
}
