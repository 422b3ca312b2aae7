// Which objects of some kinds are in documents? Objects of other kinds are skipped, so that a dump of a whole cluster can be read.

import { kindKey } from "../../model/catalog.ts";
import type { CustomResource } from "../../model/custom-resource.ts";
import { customResourceOf } from "../../model/definition-of.ts";
import { finding, type Report } from "../../model/finding.ts";
import { compareText, type JsonObject, own, partOf } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import { eachItem, type TypeOfItems, typeOfItems } from "./object-list.ts";
import { sortedOnce } from "./sorted-once.ts";

/** Collects the objects of some kinds. */
export class InstanceReader {
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
    const resource = customResourceOf(value, apiVersion, kind, place);
    const kept = this.#byKind.get(kindKey(resource));
    if (kept === undefined) return;
    if (typeof own(partOf(value, "metadata"), "name") === "string") kept.push(resource);
    else this.#lose(place, `a ${kind} without metadata.name is no object that is there`);
  }

  #lose(place: Place, message: string): void {
    this.#report(finding("PL009", place, { message, dropped: "document" }));
  }
}
