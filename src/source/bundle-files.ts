// Which bundle directories are in a tree, and which files does each have? A registry+v1 bundle directory has the
// directories `manifests/` and `metadata/`.

import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { getOrAdd, groupedBy } from "../model/grouped.ts";

/** The half of a bundle directory that a file is in. */
export type BundleHalf = "manifests" | "metadata";

/** A file of a bundle directory. */
export interface BundleFile {
  readonly path: string;
  readonly half: BundleHalf;
}

/** The bundle directories of a package, and their files. */
export type PackageFiles = ReadonlyMap<string, readonly BundleFile[]>;

/** The files of a tree. */
export interface TreeFiles {
  /** Bundle directories and their files, by the directory that they are in, which is that of a package. */
  readonly packages: ReadonlyMap<string, PackageFiles>;
  /** Files that are in no bundle directory. */
  readonly others: readonly string[];
}

/** Sorts the files of a tree. A bundle directory inside another one is a copy, of which nothing is read. */
export function treeFiles(
  paths: readonly string[],
  isDirectory: (path: string) => boolean = isDirectoryHere,
): TreeFiles {
  const known = new Map<string, boolean>();
  const inBundles = new Map<string, BundleFile[]>();
  const others: string[] = [];
  for (const path of paths) {
    const half = basename(dirname(path));
    const directory = dirname(dirname(path));
    if (
      (half !== "manifests" && half !== "metadata") ||
      !getOrAdd(known, directory, () => isBundle(directory, isDirectory))
    )
      others.push(path);
    else getOrAdd(inBundles, directory, () => []).push({ path, half });
  }
  const outer = [...inBundles].filter(([directory]) => !isInside(directory, inBundles));
  const packages = [...groupedBy(outer, ([directory]) => dirname(directory))];
  return { packages: new Map(packages.map(([owner, bundles]) => [owner, new Map(bundles)])), others };
}

function isBundle(directory: string, isDirectory: (path: string) => boolean): boolean {
  return isDirectory(`${directory}/manifests`) && isDirectory(`${directory}/metadata`);
}

function isDirectoryHere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Is a directory somewhere below one of others? */
export function isInside(path: string, directories: { has(directory: string): boolean }): boolean {
  for (let above = dirname(path); above !== dirname(above); above = dirname(above))
    if (directories.has(above)) return true;
  return false;
}
