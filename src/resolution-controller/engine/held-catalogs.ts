// Which catalogs does the cluster have, and what is in them? Content comes packed, and is unpacked once.

import { unpackCatalog } from "../../input/packed/unpack-catalog.ts";
import type { OwnCatalog } from "../../live/cluster-catalogs.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { UnavailableCatalog } from "../../model/problem.ts";
import type { CatalogKey, CatalogState, DoubtfulCatalog, PackedCatalog } from "../threads.ts";

/** A catalog with content, and what that is known by. */
interface Unpacked {
  readonly of: string;
  readonly catalog: Catalog;
}

/** The catalogs as an answer uses them. */
export interface UsedCatalogs {
  readonly catalogs: readonly Catalog[];
  readonly unavailable: readonly UnavailableCatalog[];
  readonly doubtful: readonly DoubtfulCatalog[];
}

const NOT_READ = "it has not been read yet";

export class HeldCatalogs {
  #states: readonly CatalogState[] = [];
  #unpacked = new Map<string, Unpacked>();
  /** By packages: a catalog may get another priority. */
  readonly #digests = new WeakMap<Catalog["packages"], string>();
  #version = 0;

  /** Differs after every change. */
  get version(): number {
    return this.#version;
  }

  set(states: readonly CatalogState[]): void {
    this.#states = states;
    this.#version++;
  }

  /** What a catalog of an answer is known by: its content. */
  digestOf(catalog: Catalog): string {
    return this.#digests.get(catalog.packages) ?? "";
  }

  /** The catalogs that the objects of the cluster name. */
  used(own: readonly OwnCatalog[]): UsedCatalogs {
    const states = new Map(this.#states.map((state) => [keyOf(state), state]));
    const unpacked = new Map<string, Unpacked>();
    const catalogs: Catalog[] = [];
    const unavailable: UnavailableCatalog[] = [];
    const doubtful: DoubtfulCatalog[] = [];
    for (const one of own) {
      const { name, namespace, priority, onlyFor } = one;
      const { content, why } = states.get(keyOf(one)) ?? {};
      const key = `${keyOf(one)} ${priority}`;
      const known = content && this.#catalogOf(key, content, one);
      if (known !== undefined) {
        unpacked.set(key, known);
        catalogs.push(known.catalog);
        if (why !== undefined) doubtful.push({ name, namespace, why, hasContent: true });
        continue;
      }
      const reason = why ?? NOT_READ;
      unavailable.push({ name, namespace, priority, reason, ...(onlyFor !== undefined && { onlyFor }) });
      doubtful.push({ name, namespace, why: reason, hasContent: false });
    }
    this.#unpacked = unpacked;
    return { catalogs, unavailable, doubtful };
  }

  #catalogOf(key: string, content: PackedCatalog, own: OwnCatalog): Unpacked | undefined {
    const { digest, prefix, bytes } = content;
    const before = this.#unpacked.get(key);
    if (before?.of === digest) return before;
    const { name, namespace, priority, onlyFor } = own;
    const identity = { name, priority, ...(namespace !== undefined && { namespace }), ...(onlyFor && { onlyFor }) };
    const catalog = unpackCatalog(new Uint8Array(bytes), identity, prefix);
    if (catalog === undefined) return undefined;
    this.#digests.set(catalog.packages, digest);
    return { of: digest, catalog };
  }
}

export function keyOf({ namespace = "", name }: CatalogKey): string {
  return `${namespace}/${name}`;
}
