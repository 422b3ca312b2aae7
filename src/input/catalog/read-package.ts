// What do the `olm.package`, `olm.channel` and `olm.deprecations` documents contain? Each is read on its own;
// assemble.ts checks whether they fit together.

import type { Channel, Package, Property } from "../../model/catalog.ts";
import { finding, type Report } from "../../model/finding.ts";
import { isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import { anything, each, fits, foldedKeys, list, object, objectWith, type Shape, text } from "../shape.ts";

/** An `olm.package` document. */
export interface PackageDraft
  extends Pick<Package, "name" | "defaultChannel" | "description" | "properties" | "place"> {
  readonly object: JsonObject;
  /** The key of the default channel at that place, if not `defaultChannel`. */
  readonly defaultChannelKey?: string;
}

/** An `olm.channel` document. */
export interface ChannelDraft extends Pick<Channel, "name" | "package" | "properties" | "place"> {
  readonly entries: readonly EntryDraft[];
  readonly object: JsonObject;
}

export interface EntryDraft {
  readonly name: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly skipRange?: string;
  /** The ClusterServiceVersion with the entry, if it is not from a channel document. */
  readonly csv?: Place;
}

/** An `olm.deprecations` document. */
export interface DeprecationsDraft {
  readonly package: string;
  readonly entries: readonly DeprecationDraft[];
  readonly place: Place;
}

export interface DeprecationDraft {
  readonly reference?: { readonly schema?: string; readonly name?: string };
  readonly message?: string;
}

const PROPERTIES: Shape = list(anything);

const PACKAGE: Shape = object({
  ...each(text, "schema", "name", "defaultChannel"),
  icon: anything,
  description: text,
  properties: PROPERTIES,
});

const CHANNEL: Shape = object({
  ...each(text, "schema", "name", "package"),
  entries: list(objectWith(["name"], { name: text, replaces: text, skips: list(text), skipRange: text })),
  properties: PROPERTIES,
});

const DEPRECATIONS: Shape = object({
  ...each(text, "schema", "package", "name"),
  entries: list(object({ reference: object({ schema: text, name: text }), message: text })),
});

export const PACKAGE_KEYS = ["schema", "name", "defaultChannel", "icon", "description", "properties"] as const;
export const CHANNEL_KEYS = ["schema", "name", "package", "entries", "properties"] as const;
export const DEPRECATIONS_KEYS = ["schema", "package", "name", "entries"] as const;

/** Reads an `olm.package` document; undefined, with findings, if it has the wrong shape. */
export function readPackage(given: JsonObject, place: Place, report: Report): PackageDraft | undefined {
  const document = foldedKeys(given, PACKAGE) as JsonObject;
  const about = named("package", document, "name");
  if (!fits(document, PACKAGE, place, dropping("package", report, about))) return undefined;
  const name = textOf(document, "name");
  if (name === "") {
    report(finding("PL020", place, { message: "a package has no name", dropped: "package" }));
    return undefined;
  }
  return {
    name,
    defaultChannel: textOf(document, "defaultChannel"),
    description: textOf(document, "description"),
    properties: propertiesOf(document),
    object: document,
    place,
  };
}

/** Reads an `olm.channel` document; undefined, with findings, if it has the wrong shape. */
export function readChannel(given: JsonObject, place: Place, report: Report): ChannelDraft | undefined {
  const document = foldedKeys(given, CHANNEL) as JsonObject;
  const about = { ...named("channel", document, "name"), ...named("package", document, "package") };
  if (!fits(document, CHANNEL, place, dropping("channel", report, about))) return undefined;
  const name = textOf(document, "name");
  const owner = textOf(document, "package");
  if (name === "") {
    const message = owner === "" ? "a channel has no name" : `package ${owner} has a channel without a name`;
    report(finding("PL030", inside(place, "name"), { message, package: owner, dropped: "channel" }));
    return undefined;
  }
  if (owner === "") {
    const message = `the channel ${name} does not state its package`;
    report(finding("PL025", inside(place, "package"), { message, channel: name, dropped: "channel" }));
    return undefined;
  }
  return {
    name,
    package: owner,
    entries: (own(document, "entries") ?? []) as unknown as EntryDraft[],
    properties: propertiesOf(document),
    object: document,
    place,
  };
}

/** Reads an `olm.deprecations` document; undefined, with findings, if it has the wrong shape. */
export function readDeprecations(given: JsonObject, place: Place, report: Report): DeprecationsDraft | undefined {
  const document = foldedKeys(given, DEPRECATIONS) as JsonObject;
  if (!fits(document, DEPRECATIONS, place, dropping("deprecation", report))) return undefined;
  const owner = textOf(document, "package");
  if (owner === "") {
    const message = "the deprecations do not state their package";
    report(finding("PL025", inside(place, "package"), { message, dropped: "deprecation" }));
    return undefined;
  }
  return { package: owner, entries: (own(document, "entries") ?? []) as unknown as DeprecationDraft[], place };
}

type Named = { readonly package?: string; readonly channel?: string };

/** The name in a document, even if the rest of it is invalid. */
function named(what: keyof Named, document: JsonObject, key: string): Named {
  const name = own(document, key);
  return typeof name === "string" && name !== "" ? { [what]: name } : {};
}

/** A report that adds what was left out. */
function dropping(what: "package" | "channel" | "deprecation", report: Report, about: Named = {}): Report {
  return (item) => report(item.severity === "error" ? { ...item, ...about, dropped: what } : item);
}

function textOf(document: JsonObject, key: string): string {
  return (own(document, key) ?? "") as string;
}

function propertiesOf(document: JsonObject): readonly Property[] {
  const properties = (own(document, "properties") ?? []) as readonly Json[];
  return properties.filter(isObject).flatMap((property) => {
    const type = own(property, "type");
    return typeof type === "string" ? [{ type, value: own(property, "value") ?? null }] : [];
  });
}
