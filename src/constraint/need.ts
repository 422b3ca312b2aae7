// What must a member have to match? Needs, and how two of them combine.

import { type Gvk, gvkKey } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";

/** A match is of one of these packages, provides one of these APIs, or has a property of one of these types. */
export type Need =
  | { readonly kind: "packages"; readonly packages: readonly string[] }
  | { readonly kind: "gvks"; readonly gvks: readonly Gvk[] }
  | { readonly kind: "types"; readonly types: readonly string[] };

/** Nothing can match. */
export const NO_MATCH: Need = { kind: "packages", packages: [] };

/** The need of a conjunction: the narrower one. */
export function both(a: Need | undefined, b: Need | undefined): Need | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return breadth(b) < breadth(a) ? b : a;
}

/** A package has few bundles, an API few providers; a property type may have many. */
function breadth(need: Need): number {
  switch (need.kind) {
    case "packages":
      return need.packages.length;
    case "gvks":
      return 1000 + need.gvks.length;
    case "types":
      return 1_000_000 + need.types.length;
  }
}

/** The need of a disjunction: the union. */
export function either(a: Need | undefined, b: Need | undefined): Need | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (isNobody(a)) return b;
  if (isNobody(b)) return a;
  if (a.kind === "packages" && b.kind === "packages")
    return { kind: "packages", packages: distinct([...a.packages, ...b.packages]) };
  if (a.kind === "gvks" && b.kind === "gvks") {
    const gvks = new Map([...a.gvks, ...b.gvks].map((gvk) => [gvkKey(gvk), gvk]));
    return { kind: "gvks", gvks: [...gvks].sort(([x], [y]) => compareText(x, y)).map(([, gvk]) => gvk) };
  }
  // Every bundle is of some package: a package or something else is no restriction.
  if (a.kind === "packages" || b.kind === "packages") return undefined;
  return { kind: "types", types: distinct([...typesOf(a), ...typesOf(b)]) };
}

function isNobody(need: Need): boolean {
  return need.kind === "packages" && need.packages.length === 0;
}

function typesOf(need: Need): readonly string[] {
  return need.kind === "types" ? need.types : ["olm.gvk"];
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareText);
}
