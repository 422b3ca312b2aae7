// What is in the texts and objects that a program gives? The same readers as for files; every text has a name for messages.

import { CatalogBuilder } from "../input/catalog/catalog-builder.ts";
import type { DocumentSink, Reading } from "../input/document.ts";
import { DEFAULT_LIMITS } from "../input/limits.ts";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import { readBytes } from "../input/read-documents.ts";
import type { Catalog } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { RUNTIME_CONFIG_MAP } from "../model/config-map.ts";
import { compareFindings, type Finding, FindingList, type Report } from "../model/finding.ts";
import { TextSources } from "./text-sources.ts";
import { checkKeys, kindOf, listOf, textOf, UsageError } from "./usage-error.ts";

/** A catalog that is given as text: the YAML or JSON documents of a file-based catalog, as `opm render` prints them. */
export interface CatalogText {
  /** The name of its CatalogSource. */
  readonly name: string;
  /** The namespace of its CatalogSource; without one, it is for all namespaces. */
  readonly namespace?: string | undefined;
  /** Of two catalogs with the same package, the one with the higher priority is preferred; 0 by default. */
  readonly priority?: number | undefined;
  /** The documents as text. */
  readonly text?: string | undefined;
  /** The documents as values, instead of `text`. */
  readonly documents?: readonly unknown[] | undefined;
  /** What the text is called in messages; the name of the catalog by default. */
  readonly source?: string | undefined;
}

/** A catalog: as text or documents, or one that was read before. */
export type CatalogInput = Catalog | CatalogText;

/** A text, with the name that messages call it. */
export interface NamedText {
  readonly text: string;
  readonly source: string;
}

/** Kubernetes objects: text of YAML or JSON, a named text, or a list of texts, named texts and objects as values (also of kind List). */
export type TextInput = string | NamedText | readonly unknown[];

/** Kubernetes objects, or those that were read before. */
export type ObjectsInput = TextInput | ReadObjects;

/** Kubernetes objects, sorted, and the findings about them. */
export interface ReadObjects {
  readonly objects: ClusterObjects;
  readonly findings: readonly Finding[];
}

/** The texts of what was read, so that places in it can be found later. */
const textsOf = new WeakMap<object, TextSources>();

/** Which names were searched in what could not be read of objects. */
const namesOf = new WeakMap<ReadObjects, readonly string[]>();

/** Objects that were read by other means than `readObjects`, with the names that were searched. */
export function withNames(read: ReadObjects, names: readonly string[]): ReadObjects {
  namesOf.set(read, names);
  return read;
}

/** The texts of a catalog or of objects that were read from text; empty for those from files. */
export function textsBehind(read: object): TextSources {
  return textsOf.get(read) ?? new TextSources();
}

/** Reads a file-based catalog from text or documents. Its findings are in `catalog.findings`; the valid parts are kept. */
export function readCatalog(given: CatalogText): Catalog {
  if (typeof given === "string")
    throw new UsageError(
      `a catalog is { name, text }, { name, documents }, or what readCatalog or load returned, not the text ${JSON.stringify(given)}; load of plimsoll/node reads paths`,
    );
  checkKeys("a catalog", given, ["name", "namespace", "priority", "text", "documents", "source"]);
  const name = textOf("the name of a catalog", given.name);
  if (given.text !== undefined && given.documents !== undefined)
    throw new UsageError(`catalog ${name} has text and documents; leave one of them out`);
  const { namespace, priority = 0, source = name } = given;
  const builder = new CatalogBuilder({ name, ...(namespace !== undefined && { namespace }), priority });
  const sources = new TextSources();
  const text =
    given.documents === undefined
      ? sources.add(source, catalogText(given))
      : sources.addValues(source, linesOf(name, given.documents));
  readText(text, builder.report, (value, place) => builder.add(value, place));
  const catalog = builder.finishFrom(source);
  textsOf.set(catalog, sources);
  return catalog;
}

function catalogText({ name, text }: CatalogText): string {
  if (text === undefined) throw new UsageError(`catalog ${name} has neither text nor documents`);
  return textOf(`the text of catalog ${name}`, text);
}

/** How objects are read. */
export interface ReadObjectsOptions {
  /** The namespace of objects that name none; `default` if absent. */
  readonly namespace?: string | undefined;
  /** What texts without a name are called in messages; `objects` if absent. */
  readonly what?: string | undefined;
  /** Names of objects whose absence matters: they are searched in what cannot be read. */
  readonly names?: readonly string[] | undefined;
}

/** Reads Kubernetes objects. Objects that cannot be used are reported in `findings`; the others are kept. */
export function readObjects(given: ObjectsInput, options: ReadObjectsOptions = {}): ReadObjects {
  const { namespace, names, what = "objects" } = options;
  if (isRead(given)) return knowing(given, names);
  const { kept, report } = new FindingList();
  const reader = new ObjectsReader(report, namespace, names);
  const { texts, sources } = givenTexts(given, what);
  for (const text of texts)
    readText(text, report, (value, place) => reader.add(value, place), {
      lost: (lost, place, isWhole) => reader.lose(lost, place, isWhole),
      unambiguous: reader.unambiguous,
    });
  const read = { objects: reader.finish(), findings: kept.sort(compareFindings) };
  textsOf.set(read, sources);
  return names === undefined ? read : withNames(read, names);
}

/** Objects that were read before. A ConfigMap that was not looked for in unreadable text must not seem to be absent. */
function knowing(read: ReadObjects, names: readonly string[] = []): ReadObjects {
  const known = namesOf.get(read) ?? [RUNTIME_CONFIG_MAP.name];
  const missing = names.find((name) => !known.includes(name));
  if (missing === undefined) return read;
  throw new UsageError(
    `these objects were read without looking for ${JSON.stringify(missing)}; read them with names: [${JSON.stringify(missing)}]`,
  );
}

/** The texts that a program gives, each with a name. */
export function givenTexts(
  given: TextInput,
  what: string,
): { readonly texts: readonly NamedText[]; readonly sources: TextSources } {
  const items: readonly unknown[] =
    typeof given === "string" ? [{ text: given, source: what }] : isNamedText(given) ? [given] : given;
  if (!Array.isArray(items)) throw new UsageError(`${what} must be text or a list, but is ${kindOf(given)}`);
  const sources = new TextSources();
  const texts = items.map((item: unknown, index) => {
    const source = `${what}[${index}]`;
    if (typeof item === "string") return sources.add(source, item);
    if (isNamedText(item)) return sources.add(textOf(source, item.source), textOf(source, item.text));
    return sources.addValues(source, jsonOf(item, source), "alone");
  });
  return { texts, sources };
}

/** Were the objects read before? */
export function isRead(given: ObjectsInput): given is ReadObjects {
  return typeof given === "object" && given !== null && "objects" in given && "findings" in given;
}

function isNamedText(item: unknown): item is NamedText {
  return typeof item === "object" && item !== null && "text" in item && "source" in item;
}

/** Values as JSON lines, so that they are read, bounded and checked as all other input. */
function linesOf(name: string, documents: readonly unknown[]): string {
  return listOf(`documents of catalog ${name}`, documents)
    .map((document, index) => jsonOf(document, `document ${index} of catalog ${name}`))
    .join("\n");
}

function jsonOf(value: unknown, what: string): string {
  if (typeof value !== "object" || value === null)
    throw new UsageError(`${what} must be an object, but is ${kindOf(value)}`);
  try {
    const text = JSON.stringify(value);
    if (typeof text === "string") return text;
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError(`${what} is not JSON`);
}

/** Reads the documents of a text. */
export function readText(
  { source, text }: NamedText,
  report: Report,
  sink: DocumentSink,
  careful?: Pick<Reading, "lost" | "unambiguous">,
): void {
  readBytes(new TextEncoder().encode(text), { source, limits: DEFAULT_LIMITS, report, sink, ...careful });
}
