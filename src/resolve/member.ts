// Who can be in an answer? Bundles that are chosen, and operators that stay.

import type { Property } from "../model/catalog.ts";
import type { Installed } from "../model/problem.ts";
import type { Node } from "./catalog-index.ts";

/** A bundle of a catalog, or an operator that runs. */
export type Self = Node | Installed;

/** The properties of a member. */
export function propertiesOf(self: Self): readonly Property[] {
  return "bundle" in self ? self.bundle.properties : self.properties;
}

/** The name of its ClusterServiceVersion. */
export function nameOf(self: Self): string {
  return "bundle" in self ? self.bundle.name : self.name;
}

/** The package it is of, where that is known. */
export function packageOf(self: Self): string | undefined {
  return "bundle" in self ? self.bundle.package : self.package;
}

/** A name that nobody else has. */
export function uniqueName(self: Self): string {
  return "bundle" in self ? self.id : `@${self.namespace}/${self.name}`;
}
