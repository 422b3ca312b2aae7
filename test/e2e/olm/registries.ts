// Where are the catalogs of worlds served? Each by an `opm serve` of its own; equal catalogs have one.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../src/model/json.ts";
import { catalogFiles, writeFiles } from "../catalog-files.ts";
import { startOpms } from "../opm.ts";
import { catalogDocuments, OLM_CORE, type Stocks, type World } from "./world.ts";

/** An address where nothing answers. */
export const NOWHERE = "127.0.0.1:1";

/** The gRPC registries of a bed. */
export class Registries {
  readonly #folder = mkdtempSync(join(tmpdir(), "plimsoll-catalogs-"));
  readonly #addresses = new Map<string, string>();
  readonly #stops: (() => Promise<void>)[] = [];

  /** The CatalogSources of worlds. Catalogs that are not served yet are served from now on. */
  async sourcesOf(worlds: readonly World[], stocksOf: (world: World) => Stocks): Promise<readonly JsonObject[]> {
    const stocks = worlds.flatMap((world) =>
      Object.entries(stocksOf(world)).map(([name, { priority = 0, ...stock }]) => {
        const files = stock.isServed === false ? undefined : catalogFiles(catalogDocuments(world, stock));
        return { namespace: world.name, name, priority, files, content: JSON.stringify([...(files ?? [])]) };
      }),
    );
    const missing = new Map(
      stocks.flatMap(({ content, files }) =>
        files && !this.#addresses.has(content) ? [[content, files] as const] : [],
      ),
    );
    const directories = [...missing.values()].map((files) =>
      writeFiles(mkdtempSync(join(this.#folder, "catalog-")), files),
    );
    const { addresses, stop } = await startOpms(directories);
    this.#stops.push(stop);
    for (const [at, content] of [...missing.keys()].entries()) this.#addresses.set(content, addresses[at] as string);
    return stocks.map(({ namespace, name, priority, content }) => ({
      ...{ apiVersion: OLM_CORE, kind: "CatalogSource", metadata: { namespace, name } },
      spec: { sourceType: "grpc", address: this.#addresses.get(content) ?? NOWHERE, priority },
    }));
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) await stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
