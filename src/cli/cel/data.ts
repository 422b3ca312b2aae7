// On what is an expression evaluated? Loads variables, clusters or bundles, as the environment needs.

import type { EnvironmentName } from "../../expression/environment-names.ts";
import type { Subject } from "../../expression/evaluate.ts";
import { bundleSubjects, clusterSubjects, propertySubjects, variablesOf } from "../../expression/subjects.ts";
import type { PlacedDocument } from "../../input/document.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { CLUSTERS_QUESTION } from "../../live/questions.ts";
import { printPlace } from "../../model/place.ts";
import { unreadInput } from "../../placement/missing-input.ts";
import { InputFiles } from "../../source/input-files.ts";
import { loadDocuments } from "../../source/load-documents.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type Inputs, isBroken, loadInputs, printFindings, watchFiles } from "../inputs.ts";
import { refuse } from "../question/usage-error.ts";
import { timeOf } from "../run-time.ts";
import type { Terminal } from "../terminal.ts";
import type { CelEvalOptions } from "./options.ts";

/** What was loaded. */
export interface CelData {
  /** The variables of the plain environment. */
  readonly variables: readonly string[];
  readonly subjects: readonly Subject[];
  readonly codes: readonly ExitCode[];
}

/** Loads the data for an environment; reports what is wrong with it. */
export async function loadCelData(env: EnvironmentName, options: CelEvalOptions, terminal: Terminal): Promise<CelData> {
  switch (env) {
    case "plain":
      return loadVariables(options, terminal);
    case "placement":
      return loadClusters(options, terminal);
    case "bundle":
      return loadBundles(options, terminal);
  }
}

async function loadVariables(options: CelEvalOptions, terminal: Terminal): Promise<CelData> {
  const { documents, codes } = await readData(options, terminal);
  const { values, duplicates } = variablesOf(documents);
  const faults = duplicates.map(({ name, first, second }) => {
    const places = `at ${printPlace(first)} and at ${printPlace(second)}`;
    return refuse(`the variable ${JSON.stringify(name)} is given twice: ${places}.`, terminal, EXIT.invalidInput);
  });
  return { variables: Object.keys(values), subjects: [{ bindings: () => values }], codes: [...codes, ...faults] };
}

async function loadClusters(options: CelEvalOptions, terminal: Terminal): Promise<CelData> {
  const inputs = await loadInputs({ ...options, catalog: [] }, terminal, { cluster: () => CLUSTERS_QUESTION });
  await printFindings(inputs, options, terminal);
  const scores = { now: timeOf(options), ignoreExpiry: options.compat.includes("ocm") };
  const codes = [...inputs.codes, ...(options.all ? unreadCodes(inputs) : [])];
  return { variables: [], subjects: clusterSubjects(inputs.objects, scores), codes };
}

/** The exit codes of an answer about all objects: those that could not be read are not in it. A missing path has its own code. */
export function unreadCodes({ objects, findings, codes }: Inputs): readonly ExitCode[] {
  const isReported = codes.includes(EXIT.unreachable);
  return !isReported && unreadInput(objects, findings).length > 0 ? [EXIT.invalidInput] : [];
}

async function loadBundles(options: CelEvalOptions, terminal: Terminal): Promise<CelData> {
  const inputs = await loadInputs({ ...options, filename: [] }, terminal);
  await printFindings(inputs, options, terminal);
  const data = await readData(options, terminal);
  const given = propertySubjects(data.documents);
  if (data.documents.length > 0 && given.length === 0)
    terminal.err("plimsoll: none of the documents has a list `properties`.\n");
  const subjects = [...bundleSubjects(inputs.catalogs), ...given];
  return { variables: [], subjects, codes: [...inputs.codes, ...data.codes] };
}

async function readData(
  options: CelEvalOptions,
  terminal: Terminal,
): Promise<{ readonly documents: readonly PlacedDocument[]; readonly codes: readonly ExitCode[] }> {
  const files = new InputFiles({ ...DEFAULT_LIMITS, maxDocumentBytes: options.maxDocumentBytes });
  watchFiles(files, terminal);
  const { documents, findings, unreachable } = await loadDocuments(options.filename, files);
  const all = [...findings, ...unreachable];
  await printFindings({ findings: all, files }, options, terminal);
  return {
    documents,
    codes: [
      ...(unreachable.length > 0 ? [EXIT.unreachable] : []),
      ...(options.strictInput && all.some(isBroken) ? [EXIT.invalidInput] : []),
    ],
  };
}
