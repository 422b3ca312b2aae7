/** How are the tables beside this file read? */
import { readFileSync } from "node:fs";

/** A table as the Go program writes it: where it is from, and its rows. */
export interface Table<Row> {
  readonly provenance: { readonly module: string; readonly version: string; readonly regenerate: string };
  readonly rows: readonly Row[];
}

/** The table of that name; its shape is trusted, since only the Go program writes it. */
export function readTable<T extends Table<unknown>>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")) as T;
}
