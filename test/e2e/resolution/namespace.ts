// What happens in one namespace? Requests, installed operators, and what the Resolution and the events say of them.

import { type JsonObject, partOf } from "../../../src/model/json.ts";
import type { StoryBundle } from "../../controller/resolution-story.ts";
import { EVENTS, inNamespace } from "../controller/kinds.ts";
import { loadObjects } from "../load-objects.ts";
import { type Expected, type ResolutionBed, reaches, type Said } from "./bed.ts";
import { COLLECTIONS, nameOf, operator, subscription } from "./objects.ts";

export class Namespace {
  readonly name: string;
  readonly #bed: ResolutionBed;

  constructor(name: string, bed: ResolutionBed) {
    this.name = name;
    this.#bed = bed;
  }

  path(kind: keyof typeof COLLECTIONS, name: string): string {
    return `${inNamespace(COLLECTIONS[kind], this.name)}/${name}`;
  }

  subscribe(name: string, more: JsonObject = {}): Promise<void> {
    return loadObjects(this.#bed.cluster.admin, [subscription(this.name, name, more)]);
  }

  async unsubscribe(name: string): Promise<void> {
    await this.#bed.cluster.call("DELETE", this.path("subscriptions", name));
  }

  /** Installs an operator as OLM does, and records it in its Subscription, if there is one. */
  async install(one: StoryBundle): Promise<void> {
    const { admin, tryCall } = this.#bed.cluster;
    await loadObjects(admin, [operator(this.name, one)]);
    const name = nameOf(one);
    const status = { installedCSV: name, currentCSV: name, state: "AtLatestKnown" };
    await tryCall("PATCH", `${this.path("subscriptions", one.package)}/status`, { status });
  }

  /** Changes an object by hand. */
  async edit(kind: keyof typeof COLLECTIONS, name: string, change: JsonObject): Promise<void> {
    await this.#bed.cluster.call("PATCH", this.path(kind, name), change);
  }

  /** Waits until the Resolution says what is expected. */
  reaches(expected: Expected, patience?: number): Promise<Said> {
    return reaches(this.#bed, this.name, expected, patience);
  }

  /** The events of the controller: `SUBSCRIPTION REASON`, in the order of their times. */
  async events(): Promise<readonly string[]> {
    const { items } = await this.#bed.cluster.call("GET", inNamespace(EVENTS, this.name));
    const own = (items as readonly JsonObject[]).filter((one) => one.reportingController === "plimsoll-resolution");
    const timed = own.map((one) => [`${one.eventTime}`, `${partOf(one, "regarding").name} ${one.reason}`] as const);
    return timed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }
}

/** Creates a namespace. */
export async function openNamespace(bed: ResolutionBed, name: string): Promise<Namespace> {
  await bed.open(name);
  return new Namespace(name, bed);
}
