// `plimsoll cel eval --batch`: what are the values of many expressions? A line of JSON in, a line of JSON out, one by one.
import type { Compilation } from "../../cel/compile.ts";
import type { Bindings } from "../../cel/plan/frame.ts";
import type { Timestamp } from "../../cel/value/timestamp.ts";
import { BoundFault, checkBounds } from "../../input/document.ts";
import { readJson, TextFault } from "../../input/json-text.ts";
import { DEFAULT_LIMITS, printBytes } from "../../input/limits.ts";
import { UnreadableError } from "../../input/read-documents.ts";
import { isList, isObject, type Json, type JsonObject, own, typeName } from "../../model/json.ts";
import type { ClusterScore } from "../../model/placement-score.ts";
import { clusterBindings } from "../../placement/cel/placement-environment.ts";
import { AddOnScores } from "../../placement/score/add-on-scores.ts";
import { checkReport } from "../../render/cel/check-report.ts";
import { resultReport } from "../../render/cel/result-report.ts";
import { writable } from "../../render/cel/writable.ts";
import { safeJson, safeText } from "../../render/kit/safe-text.ts";
import { textLines } from "../../source/text-lines.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { checkedExpression } from "./check.ts";
import { propertyBindings } from "./data.ts";
import { evaluatingCompiler } from "./environment.ts";
import { type CelEvalOptions, ENVIRONMENTS, type EnvironmentName, timeOf } from "./options.ts";

/** Answers every line. Lines that cannot be read are answered with an error and do not stop the rest. */
export async function runBatch(path: string, options: CelEvalOptions, terminal: Terminal): Promise<ExitCode> {
  const batch = new Batch(options);
  try {
    let isFirst = true;
    for await (const raw of textLines(path, options.maxDocumentBytes)) {
      const line = isFirst ? raw?.replace(/^\ufeff/, "") : raw;
      isFirst = false;
      if (line !== undefined && line.trim() === "") continue;
      terminal.out(`${safeJson(compactJson(batch.answer(line)))}\n`);
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    terminal.err(`plimsoll: ${safeText(`${path} cannot be read: ${error.message}`)}\n`);
    return EXIT.unreachable;
  }
  return EXIT.yes;
}

/** What is wrong with a line. */
class LineFault extends Error {}

/** So many compiled expressions are kept. */
const MAX_COMPILED = 1000;

class Batch {
  readonly #options: CelEvalOptions;
  /** All lines of a run are answered at the same time. */
  readonly #now: Timestamp;
  readonly #compiled = new Map<string, Compilation>();

  constructor(options: CelEvalOptions) {
    this.#options = options;
    this.#now = timeOf(options);
  }

  answer(line: string | undefined): JsonObject {
    let id: Json = null;
    try {
      const question = this.#read(line);
      id = own(question, "id") ?? null;
      return { id, ...this.#evaluate(question) };
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      return {
        id,
        apiVersion: "plimsoll.dev/v1alpha1",
        kind: "CelResult",
        outcome: "error",
        type: null,
        value: null,
        cost: 0,
        error: error.message,
      };
    }
  }

  #read(line: string | undefined): JsonObject {
    if (line === undefined)
      throw new LineFault(`the line is longer than ${printBytes(this.#options.maxDocumentBytes)}`);
    const value = readLine(line);
    if (!isObject(value)) throw new LineFault(`the line is ${typeName(value)}, not an object`);
    return value;
  }

  #evaluate(question: JsonObject): JsonObject {
    const text = own(question, "expression");
    if (typeof text !== "string") throw new LineFault(`expression must be text, but is ${typeName(text)}`);
    const env = environmentOf(own(question, "env") ?? null, this.#options.env ?? "plain");
    const data = own(question, "data") ?? {};
    if (!isObject(data)) throw new LineFault(`data must be an object, but is ${typeName(data)}`);
    const compilation = this.#compile(env, text, env === "plain" ? Object.keys(data) : []);
    const { program } = compilation;
    if (program === undefined) {
      const [first] = compilation.errors;
      return {
        ...(checkReport([checkedExpression(compilation, env)]) as JsonObject),
        outcome: "error",
        value: null,
        cost: 0,
        error: first?.message ?? "",
      };
    }
    if (this.#options.celCostLimit !== undefined) program.limit({ cost: this.#options.celCostLimit });
    const bindings = this.#bindings(env, data);
    const traced = this.#options.trace === true ? program.trace(bindings) : undefined;
    const result = writable(traced === undefined ? program.evaluate(bindings) : traced.result);
    return resultReport({ text, type: program.type, result, cost: program.cost, trace: traced?.trace });
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

  /** The scores of the line's cluster: by resource, a list of them or an object with `scores` and `validUntil`. */
  #scores(cluster: JsonObject, scores: Json): AddOnScores {
    const book = new AddOnScores({ now: this.#now, ignoreExpiry: this.#options.compat.includes("ocm") });
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

function compactJson(value: Json): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(compactJson).join(",")}]`;
  return `{${Object.entries(value as JsonObject)
    .map(([key, item]) => `${JSON.stringify(key)}:${compactJson(item)}`)
    .join(",")}}`;
}
