// What does an answer depend on? On its problem: equal problems have equal digests. Places do not count, catalogs count by their content.

import { createHash } from "node:crypto";
import type { Catalog } from "../../model/catalog.ts";
import { canonicalText, type Json, partOf } from "../../model/json.ts";
import { printPlace } from "../../model/place.ts";
import type { ClusterDefinition, Installed, Problem, Request } from "../../model/problem.ts";

/** The digest of all parts of a problem; `more` is what the answer depends on besides. Digests of parts are kept as long as the parts. */
export class ProblemDigests {
  readonly #digestOfCatalog: (catalog: Catalog) => string;
  readonly #ofInstalled = new WeakMap<Installed, string>();
  readonly #ofDefinition = new WeakMap<object, string>();
  readonly #ofNode = new WeakMap<object, string>();

  constructor(digestOfCatalog: (catalog: Catalog) => string) {
    this.#digestOfCatalog = digestOfCatalog;
  }

  digest(problem: Problem, more: unknown): string {
    const { catalogs, requests, unapproved, installed, elsewhere, gone, node, runtime, definitions = [] } = problem;
    const operators = (some: readonly Installed[]): readonly string[] => some.map((one) => this.#installed(one));
    const parts = {
      more,
      namespace: problem.namespace,
      scope: problem.scope,
      catalogs: catalogs.map((one) => [one.name, one.namespace, one.priority, this.#digestOfCatalog(one)]),
      unavailable: problem.unavailable,
      notGiven: problem.notGiven,
      areCatalogsUnread: problem.areCatalogsUnread,
      requests: requests.map(withoutPlace),
      unapproved: unapproved?.map(withoutPlace),
      installed: operators(installed),
      // Whether others may be updated is not a question of this namespace.
      elsewhere: operators(elsewhere.map((one) => (one.hold === undefined ? one : { ...one, hold: undefined }))),
      gone: operators(gone),
      node: remembered(this.#ofNode, node.properties, () => node.properties),
      runtime: runtime.entries.map(({ property, number }) => [property, number]),
      problems: runtime.problems.map(({ message, place }) => [message, printPlace(place), place.offset]),
      targets: problem.targets,
      removed: problem.removed,
      orphans: problem.orphans,
      definitions: definitions.map((one) => this.#definition(one)),
      inUse: problem.inUse,
      options: problem.options,
    };
    return `sha256:${hashOf(parts)}`;
  }

  #installed(one: Installed): string {
    return remembered(this.#ofInstalled, one, () => ({ ...one, place: undefined }));
  }

  /** The definition without what the server keeps about it. */
  #definition({ definition, objects, isPartial, assumedFrom }: ClusterDefinition): readonly unknown[] {
    const { object, storedVersions, name } = definition;
    const spec = remembered(this.#ofDefinition, object, () => partOf(object, "spec"));
    return [name, spec, storedVersions, objects?.length, isPartial, assumedFrom];
  }
}

function withoutPlace({ place: _, ...request }: Request): unknown {
  return request;
}

function remembered<Key extends object>(known: WeakMap<Key, string>, key: Key, content: () => unknown): string {
  let digest = known.get(key);
  if (digest === undefined) {
    digest = hashOf(content());
    known.set(key, digest);
  }
  return digest;
}

/** Undefined fields do not count, as in JSON; integers of any size do. */
function hashOf(value: unknown): string {
  return createHash("sha256")
    .update(canonicalText(plain(value)))
    .digest("hex");
}

function plain(value: unknown): Json {
  if (typeof value !== "object" || value === null) return (value ?? null) as Json;
  if (Array.isArray(value)) return value.map(plain);
  const fields = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(fields.map(([key, part]) => [key, plain(part)]));
}
