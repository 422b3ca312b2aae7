// Who can be in an answer? Bundles that are chosen, and operators that stay.

import type { Property } from "../model/catalog.ts";
import type { Place } from "../model/place.ts";
import type { ClusterNode, Installed } from "../model/problem.ts";
import type { Version } from "../semver/version.ts";
import type { Node } from "./catalog-index.ts";

/** A bundle of a catalog, or an operator that runs. */
export type Self = Node | Installed;

/** Anybody who is there: also the cluster itself, which nobody chose. */
export type Member = Self | ClusterNode;

/** The properties of a member. */
export function propertiesOf(self: Member): readonly Property[] {
  return "bundle" in self ? self.bundle.properties : self.properties;
}

/** The name of its ClusterServiceVersion. */
export function nameOf(self: Self): string {
  return "bundle" in self ? self.bundle.name : self.name;
}

/** Its name, as somebody in a namespace calls it: that of an operator elsewhere has its namespace in front. */
export function nameFor(namespace: string, self: Self): string {
  return "bundle" in self || self.namespace === namespace ? nameOf(self) : `${self.namespace}/${self.name}`;
}

/** Where it is written down. */
export function placeOf(self: Self): Place | undefined {
  return "bundle" in self ? self.bundle.place : self.place;
}

/** The package it is of, where that is known. */
export function packageOf(self: Self): string | undefined {
  return "bundle" in self ? self.bundle.package : self.package;
}

/** Its version, where that is known. */
export function versionOf(self: Self): Version | undefined {
  return "bundle" in self ? self.bundle.version : self.version;
}
