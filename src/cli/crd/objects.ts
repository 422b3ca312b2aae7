// Which objects of the compared kinds are there? Read one by one, so that a dump of a whole cluster can be given: whatever
// is of another kind is passed over.

import { eachItem, type TypeOfItems, typeOfItems } from "../../input/objects/object-list.ts";
import { sortedOnce } from "../../input/objects/sorted-once.ts";
import { kindKey } from "../../model/catalog.ts";
import type { CustomResource } from "../../model/custom-resource.ts";
import { type Finding, FindingList, finding, type Report } from "../../model/finding.ts";
import { compareText, isObject, type JsonObject, own } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import type { InputFiles } from "../../source/input-files.ts";
import { filesOf } from "../../source/load-objects.ts";

/** The objects of the wanted kinds, by `kindKey`, and what is wrong with the input. */
export interface LoadedInstances {
  readonly byKind: ReadonlyMap<string, readonly CustomResource[]>;
  readonly findings: readonly Finding[];
  /** Something could not be read: there may be more objects than these. */
  readonly isDamaged: boolean;
  readonly isUnreachable: boolean;
}

/** Reads the objects of the wanted kinds. */
export async function loadInstances(
  paths: readonly string[],
  wanted: ReadonlySet<string>,
  files: InputFiles,
): Promise<LoadedInstances> {
  const { kept, report } = new FindingList();
  const unreachable: Finding[] = [];
  const reader = new InstanceReader(wanted, report);
  for (const path of paths)
    for (const file of filesOf(path, report, unreachable))
      await files.read(file, (value, place) => reader.add(value, place, undefined), report);
  const byKind = reader.finish();
  return {
    byKind,
    findings: [...kept, ...unreachable],
    isDamaged: unreachable.length > 0 || kept.some(({ dropped }) => dropped !== undefined),
    isUnreachable: unreachable.length > 0,
  };
}

/** Keeps the objects of some kinds. */
class InstanceReader {
  readonly #byKind = new Map<string, CustomResource[]>();
  readonly #report: Report;

  constructor(wanted: ReadonlySet<string>, report: Report) {
    for (const key of wanted) this.#byKind.set(key, []);
    this.#report = report;
  }

  /** Everything that was kept: sorted, each object once; of objects that contradict each other, none. */
  finish(): ReadonlyMap<string, readonly CustomResource[]> {
    const once = (things: readonly CustomResource[]): readonly CustomResource[] =>
      sortedOnce(
        things.map((model) => ({ model, object: model.object })),
        ({ kind }) => kind,
        () => {},
        this.#report,
        (a, b) => compareText(a.version, b.version),
      );
    return new Map([...this.#byKind].map(([key, things]) => [key, once(things)]));
  }

  /** Takes an object, or a list of them. */
  add(value: JsonObject, place: Place, from: TypeOfItems | undefined): void {
    const kind = own(value, "kind") ?? from?.kind;
    const apiVersion = own(value, "apiVersion") ?? from?.apiVersion;
    if (typeof kind !== "string" || typeof apiVersion !== "string") {
      if (kind === "List") eachItem(value, place, this.#report, (item, at) => this.add(item, at, undefined));
      else this.#lose(place, "apiVersion and kind are missing, or are no text");
      return;
    }
    const items = typeOfItems(value, apiVersion, kind);
    if (items !== undefined) eachItem(value, place, this.#report, (item, at) => this.add(item, at, items));
    else this.#addOne(value, place, apiVersion, kind);
  }

  #addOne(value: JsonObject, place: Place, apiVersion: string, kind: string): void {
    const slash = apiVersion.indexOf("/");
    const type = {
      apiVersion,
      group: apiVersion.slice(0, Math.max(0, slash)),
      version: apiVersion.slice(slash + 1),
      kind,
    };
    const kept = this.#byKind.get(kindKey(type));
    if (kept === undefined) return;
    const metadata = own(value, "metadata");
    const name = isObject(metadata) ? own(metadata, "name") : undefined;
    if (!isObject(metadata) || typeof name !== "string") {
      this.#lose(place, `a ${kind} without metadata.name is no object that is there`);
      return;
    }
    const namespace = own(metadata, "namespace");
    kept.push({
      ...type,
      place,
      namespace: typeof namespace === "string" ? namespace : undefined,
      name,
      object: value,
    });
  }

  #lose(place: Place, message: string): void {
    this.#report(finding("PL009", place, { message, dropped: "document" }));
  }
}
