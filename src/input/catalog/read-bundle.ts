// What does an `olm.bundle` document contain? This is the hot path of loading: a catalog has a hundred bundles for
// every other document. Equal API properties of different bundles become one shared object, which saves most of the
// memory.

import type { Bundle, Property, RelatedImage } from "../../model/catalog.ts";
import { type Code, finding, type Report } from "../../model/finding.ts";
import { isList, isObject, type Json, type JsonObject, typeName } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import { parseVersion, type Version } from "../../semver/version.ts";
import { quoted } from "../../text/words.ts";
import { anything, foldedKeys, object, type Shape, text } from "../shape.ts";
import { imageFault, MAX_IMAGE_LENGTH } from "./image-reference.ts";
import { foldedValue, propertyFault, typeMeant } from "./known-property.ts";
import { SharedApis } from "./shared-apis.ts";

/** The keys of an `olm.bundle` document. */
export const BUNDLE_KEYS = ["schema", "name", "package", "image", "properties", "relatedImages"] as const;

const PROPERTY: Shape = object({ type: text, value: anything });

const NO_IMAGES: readonly RelatedImage[] = [];

/** A bundle, or the name of a broken one. */
export type BundleRead = Bundle | { readonly broken: string; readonly package: string };

/** Reads bundles, sharing equal parts. */
export class BundleReader {
  readonly #report: Report;
  readonly #apis = new SharedApis();
  /** Interned property types and package names. */
  readonly #texts = new Map<string, string>();
  /** The known type that is probably meant by each property type; empty if there is none. */
  readonly #meant = new Map<string, string>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** Reads a document; undefined if it does not name a bundle. */
  read(document: JsonObject, place: Place): BundleRead | undefined {
    const name = document.name;
    const owner = document.package;
    if (typeof name !== "string" || name === "") {
      this.#unnamed("name", name, inside(place, "name"), {});
      return undefined;
    }
    if (typeof owner !== "string" || owner === "") {
      this.#unnamed("package", owner, inside(place, "package"), { bundle: name });
      return undefined;
    }
    const about = { package: this.#shared(owner), bundle: name };
    const properties = this.#readProperties(document.properties, place, about);
    const identity = properties && this.#identity(properties, place, about);
    const image = this.#image(document.image ?? "", place, about);
    const relatedImages = this.#relatedImages(document.relatedImages, place, about);
    if (properties === undefined || identity === undefined || image === undefined || relatedImages === undefined)
      return { broken: name, package: about.package };
    const { version, release } = identity;
    return { name, package: about.package, version, release, image, relatedImages, properties, place };
  }

  #readProperties(value: Json | undefined, place: Place, about: About): readonly Property[] | undefined {
    if (value === undefined || value === null) return [];
    if (!isList(value)) {
      this.#fault("PL009", inside(place, "properties"), `properties must be a list, but is ${typeName(value)}`, about);
      return undefined;
    }
    let good = true;
    const properties: Property[] = [];
    for (let index = 0; index < value.length; index++) {
      const property = this.#property(value[index] as Json);
      if (typeof property !== "string") {
        properties.push(property);
        this.#checkType(property.type, index, place, about);
      } else {
        good = false;
        const type = propertyType(value[index] as Json);
        const hasBoth = type !== undefined && Object.hasOwn(value[index] as JsonObject, "value");
        const message = `properties[${index}]${type === undefined ? "" : ` of type ${type}`} cannot be used: ${property}`;
        this.#fault(hasBoth ? "PL053" : "PL052", inside(place, "properties", index), message, about);
      }
    }
    return good ? properties : undefined;
  }

  /** Reports a type that resembles one of OLM's. */
  #checkType(type: string, index: number, place: Place, about: About): void {
    let meant = this.#meant.get(type);
    if (meant === undefined) {
      meant = typeMeant(type) ?? "";
      this.#meant.set(type, meant);
    }
    if (meant === "") return;
    const message = `${about.bundle}: unknown type of a property: ${quoted(type)}`;
    const help = `did you mean ${quoted(meant)}? As it is, the property means nothing to OLM`;
    this.#report(finding("PL012", inside(place, "properties", index, "type"), { message, help, ...about }));
  }

  /** The property, shared if it is an API; or why it is invalid. */
  #property(value: Json): Property | string {
    if (!isObject(value)) return `it must be an object with type and value, but is ${typeName(value)}`;
    const { type, value: content } = value;
    if (type === undefined || content === undefined) {
      const folded = foldedKeys(value, PROPERTY);
      if (folded !== value) return this.#property(folded);
    }
    if (typeof type !== "string" || type === "") return "it has no type";
    if (content === undefined) return "it has no value";
    const isApi = type === "olm.gvk" || type === "olm.gvk.required";
    const known = isApi ? this.#apis.get(type, content) : undefined;
    if (known !== undefined) return known;
    const fault = propertyFault(type, content);
    if (fault !== undefined) {
      const folded = foldedValue(type, content);
      return folded === content ? fault : this.#property({ type, value: folded });
    }
    const property = { type: this.#shared(type), value: content };
    if (isApi) this.#apis.set(property);
    return property;
  }

  /** The version and release from the one `olm.package` property. */
  #identity(
    properties: readonly Property[],
    place: Place,
    about: About,
  ): Pick<Bundle, "version" | "release"> | undefined {
    let count = 0;
    let position = -1;
    for (let index = 0; index < properties.length; index++)
      if (properties[index]?.type === "olm.package") {
        count++;
        position = index;
      }
    const statement = properties[position];
    if (count !== 1 || statement === undefined) {
      const message = `it has ${count === 0 ? "no" : count} olm.package properties; it must have one`;
      this.#fault("PL054", inside(place, "properties"), message, about);
      return undefined;
    }
    const { packageName, version: text, release: given } = statement.value as Record<string, string>;
    const release = given || undefined;
    let good = true;
    const fault = (code: Code, field: string, message: string): void =>
      this.#fault(code, inside(place, "properties", position, "value", field), message, about);
    if (packageName !== about.package) {
      good = false;
      const named = quoted(packageName as string);
      const message = `it belongs to package ${quoted(about.package)}, but its olm.package property says ${named}`;
      fault("PL055", "packageName", message);
    }
    const version = parseVersion(text as string);
    if (typeof version === "string") {
      fault("PL056", "version", `the version is malformed: ${version}`);
      return undefined;
    }
    const releaseProblem = release === undefined ? undefined : releaseFault(release, text as string, version, about);
    if (releaseProblem !== undefined) {
      fault("PL057", "release", releaseProblem);
      return undefined;
    }
    return good ? { version, release } : undefined;
  }

  #image(value: Json, parent: Place, about: About): string | undefined {
    if (typeof value !== "string") {
      this.#fault("PL009", inside(parent, "image"), `image must be text, but is ${typeName(value)}`, about);
      return undefined;
    }
    const fault = value === "" ? undefined : imageFault(value);
    if (fault === undefined) return value;
    this.#fault(
      "PL060",
      inside(parent, "image"),
      `the image ${quoted(value, MAX_IMAGE_LENGTH)} cannot be pulled: ${fault}`,
      about,
    );
    return undefined;
  }

  #relatedImages(value: Json | undefined, place: Place, about: About): readonly RelatedImage[] | undefined {
    if (value === undefined || value === null) return NO_IMAGES;
    if (!isList(value)) {
      this.#fault("PL009", inside(place, "relatedImages"), `relatedImages must be a list`, about);
      return undefined;
    }
    const images: RelatedImage[] = [];
    for (const [index, item] of value.entries()) {
      const at = inside(place, "relatedImages", index);
      const name = isObject(item) ? (item.name ?? "") : undefined;
      if (!isObject(item) || typeof name !== "string") {
        this.#fault("PL009", at, `relatedImages[${index}] must be an object with name and image`, about);
        return undefined;
      }
      const image = this.#image(item.image ?? "", at, about);
      if (image === undefined) return undefined;
      images.push({ name, image });
    }
    return images;
  }

  /** A bundle without a name, or whose name is not a string. */
  #unnamed(key: "name" | "package", value: Json | undefined, place: Place, about: { readonly bundle?: string }): void {
    const subject = about.bundle === undefined ? "a bundle" : `the bundle ${about.bundle}`;
    const isMissing = value === undefined || value === null || value === "";
    const code = !isMissing ? "PL009" : key === "name" ? "PL050" : "PL025";
    const message = isMissing
      ? `${subject} ${key === "name" ? "has no name" : "does not state its package"}`
      : `the ${key} of ${subject} must be text, but is ${typeName(value)}`;
    this.#report(finding(code, place, { message, ...about, dropped: "bundle" }));
  }

  #fault(code: Code, place: Place, message: string, about: About): void {
    this.#report(finding(code, place, { message: `${about.bundle}: ${message}`, ...about, dropped: "bundle" }));
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

interface About {
  readonly package: string;
  readonly bundle: string;
}

function propertyType(property: Json): string | undefined {
  const type = isObject(property) ? property.type : undefined;
  return typeof type === "string" && type !== "" ? type : undefined;
}

/** A release is a list of pre-release identifiers; it excludes build metadata and determines the name of the bundle. */
function releaseFault(release: string, text: string, version: Version, about: About): string | undefined {
  if (!/^[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*$/.test(release) || /(^|\.)0[0-9]+(\.|$)/.test(release) || release.length > 20)
    return `the release ${quoted(release)} must be up to 20 letters, digits, dots and hyphens, numbers without leading zeros`;
  if (version.build.length > 0)
    return `the version ${quoted(text)} has build metadata, which cannot be combined with a release`;
  const expected = `${about.package}-v${text}-${release}`;
  return about.bundle === expected ? undefined : `a bundle with this release must be called ${quoted(expected)}`;
}
