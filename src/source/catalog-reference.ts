// Which catalog does `[[NAMESPACE/]NAME=]REF[,priority=N]` name?

import { basename, sep } from "node:path";
import type { CatalogIdentity } from "../input/catalog/catalog-builder.ts";

/** A catalog as named by the user. */
export interface CatalogReference extends CatalogIdentity {
  /** A path, or `-` for standard input. */
  readonly path: string;
}

/** Parses `[[NAMESPACE/]NAME=]REF[,priority=N]`; a string is an error message. */
export function readCatalogReference(text: string): CatalogReference | string {
  let rest = text;
  let priority = 0;
  const option = /,priority=([^,]*)$/.exec(rest);
  if (option !== null) {
    if (!/^-?[0-9]{1,9}$/.test(option[1] as string)) return "the priority must be a whole number";
    priority = Number(option[1]);
    rest = rest.slice(0, option.index);
  }
  const other = /,([A-Za-z][A-Za-z0-9_-]*)=[^,/\\]*$/.exec(rest)?.[1];
  if (other !== undefined)
    return `only ,priority=N can follow the path, once; ${JSON.stringify(other)} ${other === "priority" ? "is given twice" : "is not known"}`;
  const equals = /^(?:([a-z0-9][a-z0-9-]*)\/)?([A-Za-z0-9][A-Za-z0-9._-]*)=/.exec(rest);
  const path = equals === null ? rest : rest.slice(equals[0].length);
  if (path === "") return "the path is empty";
  const [, namespace, name] = equals ?? [];
  return { name: name ?? catalogName(path), ...(namespace !== undefined && { namespace }), priority, path };
}

/** The default name of a catalog: the last part of its path, without extensions. */
function catalogName(path: string): string {
  if (path === "-") return "stdin";
  const trimmed = path.endsWith(sep) ? path.slice(0, -1) : path;
  const base = basename(trimmed).replace(/(\.(ya?ml|jsonl?|ndjson))?(\.gz)?$/, "");
  return base === "" || base === "." || base === ".." ? "catalog" : base;
}
