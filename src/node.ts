// What is in the library for Node? Everything of `plimsoll`, and reading from files.

export * from "./index.ts";
export type { CatalogReference } from "./source/catalog-reference.ts";
export { InputFiles } from "./source/input-files.ts";
export { type LoadedCatalog, loadCatalog } from "./source/load-catalog.ts";
export { type LoadedObjects, loadObjects } from "./source/load-objects.ts";
