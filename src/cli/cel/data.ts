// On what is an expression evaluated? Variables, clusters or bundles, as the environment wants it.
import type { Bindings } from "../../cel/plan/frame.ts";
import { bundleBindings } from "../../constraint/bundle-environment.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import type { Property } from "../../model/catalog.ts";
import { compareText, isList, isObject, type JsonObject, own } from "../../model/json.ts";
import { printPlace } from "../../model/place.ts";
import { clusterBindings } from "../../placement/cel/placement-environment.ts";
import { AddOnScores } from "../../placement/score/add-on-scores.ts";
import { safeText } from "../../render/kit/safe-text.ts";
import { InputFiles } from "../../source/input-files.ts";
import { type LoadedDocument, loadDocuments } from "../../source/load-documents.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { loadInputs, tellFindings } from "../inputs.ts";
import type { Terminal } from "../terminal.ts";
import { type CelEvalOptions, type EnvironmentName, timeOf } from "./options.ts";

/** Something that an expression can be evaluated on. */
export interface Subject {
  /** The name of the cluster or bundle. */
  readonly name: string | undefined;
  readonly bindings: () => Bindings;
}

/** All that was given. */
export interface CelData {
  /** The variables of the plain environment. */
  readonly variables: readonly string[];
  readonly subjects: readonly Subject[];
  /** What a subject is called. */
  readonly noun: "cluster" | "bundle" | undefined;
  readonly codes: readonly ExitCode[];
}

/** Loads the data for an environment; tells what is wrong with it. */
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
  const values = new Map<string, unknown>();
  const from = new Map<string, LoadedDocument>();
  for (const document of documents) {
    for (const name of Object.keys(document.value)) {
      const other = from.get(name);
      if (other !== undefined) {
        const places = `at ${printPlace(other.place)} and at ${printPlace(document.place)}`;
        terminal.err(`plimsoll: ${safeText(`the variable ${JSON.stringify(name)} is given twice: ${places}`)}.\n`);
        codes.push(EXIT.invalidInput);
        // Nothing but the order of files could say which one was meant.
        values.delete(name);
        continue;
      }
      from.set(name, document);
      values.set(name, document.value[name]);
    }
  }
  const bindings = Object.fromEntries(values);
  return {
    variables: [...values.keys()],
    subjects: [{ name: undefined, bindings: () => bindings }],
    noun: undefined,
    codes,
  };
}

async function loadClusters(options: CelEvalOptions, terminal: Terminal): Promise<CelData> {
  const inputs = await loadInputs({ ...options, catalog: [] }, terminal);
  await tellFindings(inputs, options, terminal);
  const { managedClusters, addOnPlacementScores } = inputs.objects;
  const scores = AddOnScores.of(addOnPlacementScores, {
    now: timeOf(options),
    ignoreExpiry: options.compat.includes("ocm"),
  });
  const subjects = managedClusters.map(({ name, object }) => ({
    name,
    bindings: () => clusterBindings(object, scores),
  }));
  return { variables: [], subjects, noun: "cluster", codes: inputs.codes };
}

async function loadBundles(options: CelEvalOptions, terminal: Terminal): Promise<CelData> {
  const inputs = await loadInputs({ ...options, filename: [] }, terminal);
  await tellFindings(inputs, options, terminal);
  const data = await readData(options, terminal);
  const given = data.documents.flatMap(({ value, place }): Subject[] => {
    const properties = own(value, "properties");
    const name = own(value, "name");
    if (properties === undefined || !isList(properties)) return [];
    return [
      { name: typeof name === "string" ? name : printPlace(place), bindings: () => propertyBindings(properties) },
    ];
  });
  if (data.documents.length > 0 && given.length === 0) {
    terminal.err("plimsoll: none of the documents has a list `properties`.\n");
  }
  const several = inputs.catalogs.length > 1;
  const stored = inputs.catalogs.flatMap((catalog) =>
    [...catalog.packages.values()].flatMap(({ bundles }) =>
      [...bundles.values()].map((bundle): Subject => {
        const name = several ? `${catalog.name}/${bundle.name}` : bundle.name;
        return { name, bindings: () => bundleBindings(bundle.properties) };
      }),
    ),
  );
  given.sort((a, b) => compareText(a.name ?? "", b.name ?? ""));
  return { variables: [], subjects: [...stored, ...given], noun: "bundle", codes: [...inputs.codes, ...data.codes] };
}

/** Properties that nobody checked: what is no object with a type is an empty map. */
export function propertyBindings(properties: readonly unknown[]): Bindings {
  return bundleBindings(properties.map((property) => (isObject(property as JsonObject) ? property : {}) as Property));
}

async function readData(
  options: CelEvalOptions,
  terminal: Terminal,
): Promise<{ readonly documents: readonly LoadedDocument[]; readonly codes: ExitCode[] }> {
  const files = new InputFiles({ ...DEFAULT_LIMITS, maxDocumentBytes: options.maxDocumentBytes });
  const { documents, findings, unreachable } = await loadDocuments(options.filename, files);
  const all = [...findings, ...unreachable];
  await tellFindings({ findings: all, files }, options, terminal);
  const codes: ExitCode[] = unreachable.length > 0 ? [EXIT.unreachable] : [];
  if (options.strictInput && all.some(({ severity, dropped }) => severity === "error" || dropped !== undefined))
    codes.push(EXIT.invalidInput);
  return { documents, codes };
}
