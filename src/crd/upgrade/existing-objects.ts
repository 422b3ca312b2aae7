// What becomes of existing objects? Each is read as the API server serves it today, then validated by the new definition in
// every version that is served before and after, and in the one in which it will be stored.
// Without a webhook what is written in any version is stored without the fields that the storage version does not have
// (schemaCoercingConverter of apiextensions-apiserver v0.37).

import type { CustomResource, CustomResourceDefinition, CustomResourceVersion } from "../../model/custom-resource.ts";
import { getOrAdd, inRuns } from "../../model/grouped.ts";
import { compareText, isList, isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import { comparePlaces, type Path } from "../../model/place.ts";
import type { Situation } from "../severity.ts";
import type { ObjectFault, Validator, Verdict } from "../validate/validator.ts";
import { validatorFor } from "../validate/validator-for.ts";
import type { Circumstances } from "./circumstances.ts";
import {
  type DefinitionChange,
  hasWebhook,
  onlyStorage,
  onlyWays,
  type StorageMove,
  storageMove,
  storageVersions,
  versionsByName,
} from "./definition-change.ts";
import { keepsAll } from "./dropped-fields.ts";
import { valueBelow } from "./field-at.ts";
import { invalid, losesData, notDecided, nowhereValidated, unknownVersion, wasInvalid } from "./object-observations.ts";
import { CappedFindings, type Observation, type Observe } from "./observation.ts";
import { readOnce } from "./read-schemas.ts";

/** No more findings of one code are reported about objects; one more says how many there were. */
export const MAX_REPORTED = 1000;
/** No more faults of one object are looked for. */
const MAX_FAULTS = 1000;

/** What is known of the objects in a version of the new CRD; with an empty name, in all that stay. */
export type ObjectsKnown = (version: string) => Situation["objects"];

/** Validates the objects, reports what is wrong with them, and returns what is known of them afterwards. */
export function observeObjects(change: DefinitionChange, circumstances: Circumstances, observe: Observe): ObjectsKnown {
  const { objects } = circumstances;
  if (objects === undefined) return () => "unknown";
  const { group, kind } = change.before;
  const ofKind = objects.filter((object) => object.group === group && object.kind === kind);
  const existing = new ExistingObjects(change, ofKind, circumstances);
  const capped = new CappedFindings(observe, MAX_REPORTED);
  existing.validateAll(capped.observe);
  capped.end();
  return (version) => {
    const known = existing.known(version);
    return known === "valid" && circumstances.isPartial ? "unknown" : known;
  };
}

/** How one object is validated: read in a version of the old CRD, then in one of the new. */
interface Reading {
  readonly object: CustomResource;
  readonly readIn: CustomResourceVersion;
  readonly version: CustomResourceVersion;
}

/** The objects of the kind. Of a version that was validated it is remembered whether all of them are valid in it. */
class ExistingObjects {
  readonly #change: DefinitionChange;
  readonly #celCostLimit: number;
  /** Those of one name together: an object may be given in several versions. */
  readonly #byName: readonly (readonly CustomResource[])[];
  /** A webhook converts them: what they are in a version in which they were not given is unknown. */
  readonly #areConverted: boolean;
  readonly #oldVersions: ReadonlyMap<string, CustomResourceVersion>;
  /** The old storage versions. */
  readonly #oldStorage: ReadonlySet<string>;
  readonly #storageMove: StorageMove | undefined;
  readonly #alsoValidated: readonly CustomResourceVersion[];
  readonly #areValidIn = new Map<string, boolean>();
  readonly #known = new Map<string, Situation["objects"]>();
  readonly #shows = new Map<string, boolean>();
  readonly #oldValidators = new Map<CustomResourceVersion, Validator>();
  readonly #newValidators = new Map<CustomResourceVersion, Validator>();

  constructor(change: DefinitionChange, objects: readonly CustomResource[], { celCostLimit, compat }: Circumstances) {
    this.#change = change;
    this.#celCostLimit = celCostLimit;
    this.#byName = togetherByName(objects);
    this.#oldVersions = versionsByName(change.before);
    this.#oldStorage = new Set(storageVersions(change.before));
    this.#areConverted = hasWebhook(change.before) || hasWebhook(change.after);
    const isLeftAlone = compat || hasWebhook(change.after);
    this.#storageMove = isLeftAlone ? undefined : storageMove(change);
    this.#alsoValidated = isLeftAlone ? [] : alsoValidated(change);
  }

  validateAll(observe: Observe): void {
    const { before, after, kept } = this.#change;
    for (const object of this.#ofUnknownVersion()) observe(unknownVersion(object, before));
    for (const object of this.#inNoVersion()) observe(nowhereValidated(object, after));
    for (const { name, old, new: now, hasSameSchema } of kept) {
      if (!old.served || !now.served) continue;
      const stays = hasSameSchema && before.preserveUnknownFields === after.preserveUnknownFields;
      if (stays) this.#reportOldFaults(old, observe);
      else this.#areValidIn.set(name, this.#validateIn(now, old, observe));
    }
    for (const version of this.#alsoValidated) {
      const isStored = version.name === this.#storageMove?.to.name;
      // Elsewhere they were not to be seen in it: they are read as they were given.
      const old = version.storage && !isStored ? this.#oldVersions.get(version.name) : undefined;
      const areValid = this.#validateIn(version, old, observe, isStored);
      this.#areValidIn.set(version.name, areValid && (this.#areValidIn.get(version.name) ?? true));
    }
  }

  known(name: string): Situation["objects"] {
    const { after, kept } = this.#change;
    if (name === "") return kept.every((version) => this.known(version.name) === "valid") ? "valid" : "not-all-valid";
    return getOrAdd(this.#known, name, () => {
      const version = versionsByName(after).get(name);
      const areValid = version !== undefined && this.#areAllShown(name) && this.#areValid(version);
      return areValid ? "valid" : "not-all-valid";
    });
  }

  /** Faults in a version in which the objects could not be read before are not reported. */
  #areValid(version: CustomResourceVersion): boolean {
    const { name, served } = version;
    const old = served ? undefined : this.#oldVersions.get(name);
    return this.#areValidIn.get(name) ?? this.#validateIn(version, old, () => {});
  }

  /** Whether what was given of each object shows all that it has in a version. */
  #areAllShown(version: string): boolean {
    return this.#byName.every((same) =>
      this.#toValidate(same, version).some((object) => this.#showsAll(object, version)),
    );
  }

  /** An object that was given in a version with a narrower schema may have more than can be seen of it. */
  #showsAll({ version: given }: CustomResource, version: string): boolean {
    if (given === version || this.#oldStorage.has(given) || this.#change.before.preserveUnknownFields) return true;
    return getOrAdd(this.#shows, `${given} ${version}`, () => {
      const seen = this.#oldVersions.get(given) as CustomResourceVersion;
      return [...this.#oldStorage, version].some((name) => {
        const whole = this.#oldVersions.get(name);
        return whole !== undefined && keepsAll(whole, seen);
      });
    });
  }

  /**
   * Whether all objects are valid in a version of the new CRD. They are read in the old one of it, or as given;
   * `isStored`: as they were stored, because that is what becomes of them when they are written.
   */
  #validateIn(
    version: CustomResourceVersion,
    old: CustomResourceVersion | undefined,
    observe: Observe,
    isStored = false,
  ): boolean {
    let areValid = true;
    for (const same of this.#byName) {
      const known = new Set<string>();
      for (const object of isStored ? this.#asStored(same) : this.#toValidate(same, version.name)) {
        const readIn = old ?? (this.#oldVersions.get(object.version) as CustomResourceVersion);
        const reading = { object, readIn, version };
        const [today, then] = this.#validate(reading);
        if (then.faults.length === 0 && then.dropped.length === 0 && then.undecided === undefined) continue;
        areValid = false;
        for (const observation of this.#toReport(reading, today, then, isStored)) {
          const key = `${observation.code} ${observation.path}`;
          if (!known.has(key)) observe(observation);
          known.add(key);
        }
      }
    }
    return areValid;
  }

  /** How it is read today, and how it would be then. Defaults are not lost; a version that is not served refuses nothing. */
  #validate({ object, readIn, version }: Reading): readonly [Verdict, Verdict] {
    const { before, after } = this.#change;
    const limits = { mostFaults: MAX_FAULTS };
    const given = inVersion(object.object, before.group, readIn.name);
    const today = this.#validator(readIn, before).validate(given, limits);
    const read = inVersion(today.object, after.group, version.name);
    const then = this.#validator(version, after).validate(read, limits);
    const dropped = then.dropped.filter((path) => isWritten(object.object, path));
    return [today, { ...then, dropped, faults: version.served ? then.faults : [] }];
  }

  /** A version that becomes the storage version, and is served before and after, is validated twice: as such, and as any other. */
  #toReport(reading: Reading, today: Verdict, then: Verdict, isStored: boolean): Iterable<Observation> {
    const { version } = reading;
    const isBoth = version.name === this.#storageMove?.to.name && this.#isServedOnBothSides(version);
    const verdict = !isBoth ? then : isStored ? { ...then, faults: [] } : { ...then, dropped: [] };
    return differences(reading, today, verdict, this.#change.after.plural, isStored, (path) =>
      this.#wouldDrop(reading.readIn, today.object, path),
    );
  }

  /** Whether the old CRD would drop a field that an object lacks, if it were written now. */
  #wouldDrop(readIn: CustomResourceVersion, object: JsonObject, path: Path): boolean {
    const written = withValue(object, path, true) as JsonObject;
    const { dropped } = this.#validator(readIn, this.#change.before).validate(written, { mostFaults: 1 });
    return dropped.some((one) => one.every((step, index) => step === path[index]));
  }

  #isServedOnBothSides({ name, served }: CustomResourceVersion): boolean {
    return served && this.#oldVersions.get(name)?.served === true;
  }

  /** The schema of the version stays: all faults of objects given in it are old ones. */
  #reportOldFaults(version: CustomResourceVersion, observe: Observe): void {
    const { before, after } = this.#change;
    for (const same of this.#byName)
      for (const object of same) {
        if (object.version !== version.name) continue;
        const today = this.#validator(version, before).validate(object.object, { mostFaults: MAX_FAULTS });
        const then = { ...today, dropped: [] };
        const reading = { object, readIn: version, version };
        for (const observation of differences(reading, today, then, after.plural, false, () => false))
          observe(observation);
      }
  }

  /** Of the objects of one name, those to validate in a version: as given in it; or as stored, if nothing but the version's name changes. */
  #toValidate(same: readonly CustomResource[], version: string): readonly CustomResource[] {
    const givenInIt = same.filter((object) => object.version === version && this.#oldVersions.has(version));
    return givenInIt.length > 0 || this.#areConverted ? givenInIt : this.#asStored(same);
  }

  /** As given in the storage version; otherwise each that was given may show a part of what is stored. */
  #asStored(same: readonly CustomResource[]): readonly CustomResource[] {
    const stored = same.filter(({ version }) => this.#oldStorage.has(version));
    if (stored.length > 0 || this.#areConverted) return stored;
    return same.filter(({ version }) => this.#oldVersions.has(version));
  }

  #ofUnknownVersion(): readonly CustomResource[] {
    return this.#byName.flat().filter(({ version }) => !this.#oldVersions.has(version));
  }

  /** Objects that a webhook converts, and that were given in no version in which they could be validated. */
  #inNoVersion(): readonly CustomResource[] {
    if (!this.#areConverted) return [];
    const validated = new Set(
      this.#change.kept.filter(({ new: now }) => this.#isServedOnBothSides(now)).map(({ name }) => name),
    );
    if (this.#storageMove !== undefined) validated.add(this.#storageMove.from.name);
    return this.#byName
      .filter((same) => !same.some(({ version }) => validated.has(version)))
      .flatMap((same) => same.filter(({ version }) => this.#oldVersions.has(version)).slice(0, 1));
  }

  #validator(version: CustomResourceVersion, definition: CustomResourceDefinition): Validator {
    const validators = definition === this.#change.after ? this.#newValidators : this.#oldValidators;
    return getOrAdd(validators, version, () => {
      const options = { preserveUnknownFields: definition.preserveUnknownFields, celCostLimit: this.#celCostLimit };
      return validatorFor(version.schema && readOnce(version.schema).schema, options);
    });
  }
}

/**
 * Versions to validate objects in though they were not served, or not in that way: where objects are stored from now on,
 * no matter in which version they are written, and those that are the only way to read them.
 */
function alsoValidated(change: DefinitionChange): readonly CustomResourceVersion[] {
  const storage = onlyStorage(change.after);
  const stays = change.kept.some(({ new: now, old }) => now === storage && now.served && old.served);
  const isValidatedAnyway = stays && storageMove(change) === undefined;
  const stored = storage === undefined || isValidatedAnyway ? [] : [storage];
  return [...new Set([...stored, ...onlyWays(change)])];
}

/** What changes for one object in one version: how it is read today, and how it would be then. */
function* differences(
  { object, readIn, version }: Reading,
  today: Verdict,
  then: Verdict,
  plural: string,
  isStored: boolean,
  wouldDrop: (path: Path) => boolean,
): Iterable<Observation> {
  const { name } = version;
  const known = new Set(then.faults.length === 0 ? [] : today.faults.map((fault) => keyOfFault(fault, readIn)));
  const added = then.faults.filter((fault) => !known.has(keyOfFault(fault, version)));
  const isGivenInIt = object.version === name;
  if (added.length > 0) yield invalid(object, name, added, plural, wouldDrop);
  else if (then.faults.length > 0 && isGivenInIt) yield wasInvalid(object, name, then.faults, plural);
  if (then.dropped.length > 0) yield losesData(object, name, then.dropped, plural, isStored);
  if (then.undecided !== undefined && (isGivenInIt || today.undecided === undefined))
    yield notDecided(object, name, then.undecided, plural);
}

/** A rule is identified by its text, at any position in its list; another keyword by its place in the schema. */
function keyOfFault({ keyword, path, at }: ObjectFault, { schema }: CustomResourceVersion): string {
  const rule = keyword === "x-kubernetes-validations" ? at.reduce(valueBelow, schema as Json | undefined) : undefined;
  const text = isObject(rule) ? own(rule, "rule") : undefined;
  return JSON.stringify([keyword, path, typeof text === "string" ? text : at]);
}

/** A value with another one at a place in it. */
function withValue(value: Json | undefined, path: Path, put: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return put;
  const below = withValue(valueBelow(value, step), rest, put);
  if (isList(value)) return value.map((item, index) => (index === step ? below : item));
  const fields = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries([...fields, [step, below]]);
}

function isWritten(object: JsonObject, path: Path): boolean {
  return path.reduce(valueBelow, object as Json | undefined) !== undefined;
}

/** The object as it is read in a version, where nothing but the name of the version changes. */
function inVersion(object: JsonObject, group: string, version: string): JsonObject {
  const apiVersion = `${group}/${version}`;
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

/** Sorted, so that it does not matter in which order they were given; an object without a name is on its own. */
function togetherByName(objects: readonly CustomResource[]): readonly (readonly CustomResource[])[] {
  const sorted = objects.toSorted(
    (a, b) =>
      compareText(a.namespace ?? "", b.namespace ?? "") ||
      compareText(a.name, b.name) ||
      compareText(a.version, b.version) ||
      comparePlaces(a.place, b.place),
  );
  return inRuns(sorted, (a, b) => a.name === b.name && a.namespace === b.namespace && b.name !== "");
}
