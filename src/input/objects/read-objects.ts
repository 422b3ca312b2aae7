// Which Kubernetes objects were given? Documents are added one by one, in any order; model objects are returned. An
// unusable object is reported and left out; the others are kept.

import { type Gvk, kindKey } from "../../model/catalog.ts";
import type { ClusterObjects, KnownObjects, RejectedObject, UnreadMention } from "../../model/cluster-objects.ts";
import { RUNTIME_CONFIG_MAP } from "../../model/config-map.ts";
import type { CustomResource, CustomResourceDefinition } from "../../model/custom-resource.ts";
import { customResourceOf } from "../../model/definition-of.ts";
import { type FindingDetail, finding, type Report } from "../../model/finding.ts";
import { addTo } from "../../model/grouped.ts";
import { canonicalText, compareText, type JsonObject, own, partOf } from "../../model/json.ts";
import { comparePlaces, inside, type Place } from "../../model/place.ts";
import type { Unambiguous } from "../document.ts";
import { fits, objectWith, type Shape, text } from "../shape.ts";
import { textOf } from "./fields.ts";
import { identityFault, warnIdentity } from "./identity.ts";
import { expectedApiVersion, KINDS, listOfKind, nearestKind, recognise } from "./kind-table.ts";
import { LostWords } from "./lost-words.ts";
import type { ObjectKind } from "./object-kind.ts";
import { eachItem, type TypeOfItems, typeOfItems } from "./object-list.ts";
import { type Entry, type Identified, sortedOnce } from "./sorted-once.ts";

type ListName = keyof KnownObjects;

const ANY_OBJECT: Shape = objectWith(["metadata"], { metadata: objectWith(["name"], { name: text, namespace: text }) });

/** Collects the objects of all inputs. */
export class ObjectsReader {
  readonly #report: Report;
  /** Reports an error that drops its whole object. */
  readonly #reportLoss: Report;
  readonly #namespace: string;
  readonly #isNamespaceGiven: boolean;
  readonly #known = new Map<ListName, Entry<Identified>[]>();
  readonly #custom: Entry<CustomResource>[] = [];
  readonly #rejected: RejectedObject[] = [];
  readonly #mentioned = new Map<string, UnreadMention>();
  readonly #names: readonly string[];
  readonly #lost = new LostWords();
  readonly #wholeKinds = new Set<string>();
  readonly #unreadKinds = new Set<string>();
  /** The files of catalogs that were given as objects. */
  readonly #catalogFiles = new Set<string>();

  /**
   * `namespace` is the default for objects without one, as with `kubectl --namespace`. `names` are those of objects
   * whose absence matters: they are searched in what cannot be read.
   */
  constructor(report: Report, namespace?: string, names: readonly string[] = [RUNTIME_CONFIG_MAP.name]) {
    this.#names = names;
    this.#report = report;
    this.#reportLoss = (found) => report(found.severity === "error" ? { ...found, dropped: "document" } : found);
    this.#namespace = namespace ?? "default";
    this.#isNamespaceGiven = namespace !== undefined;
  }

  /** Takes an object, or a list of them. */
  add(value: JsonObject, place: Place): void {
    this.#add(value, place, undefined);
  }

  /** Objects whose absence matters must not be ambiguous. */
  readonly unambiguous: Unambiguous = {
    concerns: (text) => this.#names.some((name) => text.includes(name)),
    onDuplicate: (text, place) => this.#mention(text, place, "ambiguous"),
  };

  /** A cluster did not return the objects of a known kind, or not all of them. */
  loseKind(kind: string, place: Place, isWhole: boolean): void {
    this.#lost.addKind(kind, place, isWhole);
  }

  /** An object of a kind exists, or may exist, and could not be read; without a name it may be any. */
  loseObject(lost: RejectedObject): void {
    this.#rejected.push(lost);
  }

  /** A cluster returned every object of a custom kind. */
  completeKind(kind: Pick<Gvk, "group" | "kind">): void {
    this.#wholeKinds.add(kindKey(kind));
  }

  /** A cluster did not return the objects of a custom kind. */
  missKind(kind: Pick<Gvk, "group" | "kind">): void {
    this.#unreadKinds.add(kindKey(kind));
  }

  /** Takes the objects of other readers, except those that are given here. An invalid one replaces nothing. */
  addBelow(others: readonly ObjectsReader[]): void {
    this.#placeCustom(others);
    const given = new Set<string>();
    for (const [list, entries] of this.#known)
      for (const { model } of entries) given.add(identityOf(asKind(model, KINDS[list].kind)));
    for (const { model } of this.#custom) given.add(identityOf(model));
    const isNew = (one: ObjectIdentity): boolean => given.size === 0 || !given.has(identityOf(one));
    for (const other of others) this.#addNew(other, isNew);
  }

  /** Custom resources without a namespace are in the default one, if their definition says that they are in one. */
  #placeCustom(others: readonly ObjectsReader[]): void {
    const scopes = new Map<string, string>();
    for (const reader of [...others, this])
      for (const { model } of reader.#known.get("customResourceDefinitions") ?? []) {
        const definition = model as CustomResourceDefinition;
        scopes.set(kindKey(definition), definition.scope);
      }
    for (const [index, { model, object }] of this.#custom.entries())
      if (!model.namespace && scopes.get(kindKey(model)) === "Namespaced")
        this.#custom[index] = { model: { ...model, namespace: this.#namespace }, object };
  }

  #addNew(other: ObjectsReader, isNew: (one: ObjectIdentity) => boolean): void {
    for (const [list, entries] of other.#known)
      for (const entry of entries) if (isNew(asKind(entry.model, KINDS[list].kind))) addTo(this.#known, list, entry);
    for (const entry of other.#custom) if (isNew(entry.model)) this.#custom.push(entry);
    for (const one of other.#rejected) if (one.name === undefined || isNew(one)) this.#rejected.push(one);
    for (const [key, mention] of other.#mentioned) if (!this.#mentioned.has(key)) this.#mentioned.set(key, mention);
    this.#lost.addAll(other.#lost);
    for (const kind of other.#wholeKinds) this.#wholeKinds.add(kind);
    for (const kind of other.#unreadKinds) this.#unreadKinds.add(kind);
  }

  /** Takes text that could not be read; unless it is whole, more than the text is lost. */
  lose(text: string, place: Place, isWhole = true): void {
    this.#lost.add(text, place, isWhole);
    this.#mention(text, place, "unread");
  }

  #mention(text: string, place: Place, why: UnreadMention["why"]): void {
    for (const name of this.#names) {
      const key = `${name} ${place.source} ${place.line}`;
      if (text.includes(name) && !this.#mentioned.has(key)) this.#mentioned.set(key, { name, place, why });
    }
  }

  /** All objects: sorted, without duplicates. */
  finish(): ClusterObjects {
    const lists: Partial<Record<ListName, readonly Identified[]>> = {};
    for (const [list, { kind }] of Object.entries(KINDS) as [ListName, ObjectKind<Identified>][])
      lists[list] = sortedOnce(
        this.#known.get(list) ?? [],
        () => kind,
        (entries) => this.#rejectAll(entries, () => kind),
        this.#report,
      );
    const customResources = sortedOnce(
      this.#custom,
      ({ kind }) => kind,
      (entries) => this.#rejectAll(entries, ({ kind }) => kind),
      this.#report,
      (a, b) => compareText(a.group, b.group) || compareText(a.kind, b.kind) || compareText(a.version, b.version),
    );
    const rejected = this.#rejected.toSorted(compareRejected);
    const mentioned = [...this.#mentioned.values()].sort(
      (a, b) => compareText(a.name, b.name) || comparePlaces(a.place, b.place),
    );
    return {
      ...(lists as unknown as KnownObjects),
      ...{ customResources, rejected, mentioned, lost: this.#lost.finish() },
      ...(this.#wholeKinds.size > 0 && { wholeKinds: this.#wholeKinds }),
      ...(this.#unreadKinds.size > 0 && { unreadKinds: this.#unreadKinds }),
    };
  }

  /** Reports a document of a catalog, once for each file. */
  #catalogDocument(place: Place): void {
    if (this.#catalogFiles.has(place.source)) return;
    this.#catalogFiles.add(place.source);
    const message = "this is a document of a catalog, not a Kubernetes object";
    const help = "give the catalog with --catalog (resolve, explain, plan, show, lint)";
    this.#report(finding("PL007", place, { message, help, dropped: "document" }));
  }

  #add(value: JsonObject, place: Place, from: TypeOfItems | undefined): void {
    const kind = own(value, "kind") ?? from?.kind;
    if (kind === undefined && typeof own(value, "schema") === "string") {
      this.#catalogDocument(place);
      return;
    }
    if (typeof kind !== "string" || kind === "") {
      const message = kind === undefined || kind === "" ? "kind is missing" : "kind must be text";
      this.#reject(value, "", place, "PL009", kind === undefined ? place : inside(place, "kind"), { message });
      return;
    }
    const apiVersion = own(value, "apiVersion") ?? from?.apiVersion;
    const version = typeof apiVersion === "string" && apiVersion !== "" ? apiVersion : undefined;
    const items = typeOfItems(value, version, kind);
    if (items !== undefined)
      eachItem(
        value,
        place,
        this.#report,
        (item, at) => this.#add(item, at, items),
        (lost, at) => this.lose(canonicalText(lost), at),
      );
    else if (version !== undefined) this.#addOne(value, place, version, kind);
    else this.#rejectUntyped(value, place, kind);
  }

  #addOne(value: JsonObject, place: Place, apiVersion: string, kind: string): void {
    const slash = apiVersion.indexOf("/");
    const group = slash < 0 ? "" : apiVersion.slice(0, slash);
    const version = apiVersion.slice(slash + 1);
    const recognised = recognise(group, kind);
    switch (recognised.is) {
      case "ignored":
        return;
      case "custom":
        this.#addCustom(value, place, apiVersion, kind);
        return;
      case "known":
        this.#addKnown(value, place, recognised.list, version);
        return;
      case "misgrouped":
        this.#reject(value, kind, place, "PL009", inside(place, "apiVersion"), {
          message: `a ${kind} must have the apiVersion ${expectedApiVersion(recognised.list)}, but has ${JSON.stringify(apiVersion)}`,
        });
        return;
      case "unknown":
        this.#reject(value, kind, place, "PL008", inside(place, "kind"), {
          message: `${apiVersion} has no kind ${JSON.stringify(kind)} that is known`,
          ...(recognised.meant !== undefined && { help: `did you mean ${JSON.stringify(recognised.meant)}?` }),
        });
    }
  }

  #addKnown(value: JsonObject, place: Place, list: ListName, version: string): void {
    const kind = KINDS[list] as ObjectKind<Identified>;
    if (!kind.versions.includes(version))
      this.#report(
        finding("PL008", inside(place, "apiVersion"), {
          message: `${JSON.stringify(version)} is not a known version of ${kind.kind}`,
          help: `it is read as ${expectedApiVersion(list)}`,
        }),
      );
    if (!fits(value, kind.shape, place, this.#reportLoss)) {
      this.#remember(value, kind.kind, place);
      return;
    }
    const metadata = partOf(value, "metadata");
    const stated = kind.namespaced ? textOf(metadata, "namespace") : "";
    const name = textOf(metadata, "name") ?? "";
    const fault = identityFault(kind, name, stated);
    if (fault !== undefined) {
      this.#reject(value, kind.kind, place, "PL009", inside(place, "metadata", ...fault.path), fault.detail);
      return;
    }
    const namespace = stated ?? this.#namespace;
    const given = { object: value, metadata, version, namespace, name, place, report: this.#report };
    warnIdentity(given, kind, this.#isNamespaceGiven);
    const model = kind.build(given);
    addTo(this.#known, list, { model, object: value });
  }

  #addCustom(value: JsonObject, place: Place, apiVersion: string, kind: string): void {
    if (!fits(value, ANY_OBJECT, place, this.#reportLoss)) {
      this.#remember(value, kind, place);
      return;
    }
    this.#custom.push({ model: customResourceOf(value, apiVersion, kind, place), object: value });
  }

  #rejectUntyped(value: JsonObject, place: Place, kind: string): void {
    const isGiven = Object.hasOwn(value, "apiVersion");
    const list = listOfKind(kind);
    this.#reject(value, kind, place, "PL009", isGiven ? inside(place, "apiVersion") : place, {
      message: isGiven ? "apiVersion must be text" : "apiVersion is missing",
      ...(list && { help: `the apiVersion of a ${kind} is ${expectedApiVersion(list)}` }),
    });
  }

  #reject(
    value: JsonObject,
    kind: string,
    place: Place,
    code: "PL008" | "PL009",
    at: Place,
    detail: FindingDetail,
  ): void {
    this.#report(finding(code, at, { ...detail, dropped: "document" }));
    this.#remember(value, kind, place);
  }

  #rejectAll<Model extends Identified>(entries: readonly Entry<Model>[], kindOf: (model: Model) => string): void {
    for (const { model, object } of entries) this.#remember(object, kindOf(model), model.place);
  }

  #remember(value: JsonObject, kind: string, place: Place): void {
    const metadata = partOf(value, "metadata");
    const list = listOfKind(kind);
    const { namespaced = false, missingNamespace }: Partial<ObjectKind<unknown>> = list ? KINDS[list] : {};
    const isUsual = namespaced && missingNamespace !== "rejected" && (own(metadata, "namespace") ?? "") === "";
    const namespace = isUsual ? this.#namespace : textOf(metadata, "namespace");
    const name = textOf(metadata, "name");
    const meant = list === undefined ? nearestKind(kind, "") : undefined;
    this.#rejected.push({ place, kind, namespace, name, ...(meant !== undefined && { meant }) });
    if (name !== undefined) return;
    // Its name may be present but not a string.
    if (kind === "") this.lose(canonicalText(value), place);
    else this.#lost.add(canonicalText(value), place, true);
  }
}

/** What distinguishes an object from all others; its version does not. */
interface ObjectIdentity {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

function asKind({ namespace, name }: Identified, kind: string): ObjectIdentity {
  return { kind, namespace, name };
}

function identityOf({ group = "", kind, namespace = "", name = "" }: ObjectIdentity): string {
  return JSON.stringify([group, kind, namespace, name]);
}

function compareRejected(a: RejectedObject, b: RejectedObject): number {
  return (
    compareText(a.kind, b.kind) ||
    compareText(a.namespace ?? "", b.namespace ?? "") ||
    compareText(a.name ?? "", b.name ?? "") ||
    comparePlaces(a.place, b.place)
  );
}
