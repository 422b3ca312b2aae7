// Which catalog did the user name? A file, a directory of files, a bundle directory or a tree of bundle directories
// becomes a Catalog; errors are among its findings.

import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { BundleDirectories } from "../input/bundle-directory/bundle-directories.ts";
import { CatalogBuilder, type CatalogIdentity } from "../input/catalog/catalog-builder.ts";
import type { DocumentSink } from "../input/document.ts";
import type { Catalog } from "../model/catalog.ts";
import { type Finding, FindingList, finding } from "../model/finding.ts";
import { wholeSource } from "../model/place.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { withoutUrlSecrets } from "../text/url-secrets.ts";
import { isInside, type TreeFiles, treeFiles } from "./bundle-files.ts";
import { type CatalogReference, meantReference } from "./catalog-reference.ts";
import { filesBelow } from "./directory-files.ts";
import { reasonOf } from "./file-chunks.ts";
import { type InputFiles, STDIN } from "./input-files.ts";
import { CATALOG_FILE } from "./package-bundles.ts";
import { oldPackages } from "./package-manifests.ts";
import { readPackages } from "./package-threads.ts";

/** A catalog, or why there is none. */
export type LoadedCatalog =
  | { readonly kind: "loaded"; readonly catalog: Catalog }
  | { readonly kind: "unreachable"; readonly reference: CatalogReference; readonly finding: Finding };

/** The file in which a package of the community repositories states how its versions upgrade. */
const SETTINGS_FILE = /(^|[/\\])ci\.ya?ml$/;
/** Directories of the community repositories: templates of catalogs, and what was made of them for each cluster version. */
const TEMPLATES = "catalog-templates";
const RENDERED = "catalogs";

/** Loads a catalog. */
export async function loadCatalog(reference: CatalogReference, files: InputFiles): Promise<LoadedCatalog> {
  const { path, name } = reference;
  const source = path === "-" ? STDIN : path;
  const builder = new CatalogBuilder(identityOf(reference));
  let paths: readonly string[];
  try {
    if (path !== "-") accessSync(path, constants.R_OK);
    const isDirectory = path !== "-" && statSync(path).isDirectory();
    if (isDirectory && existsSync(join(path, "oci-layout")))
      return { kind: "unreachable", reference, finding: layout(reference) };
    paths = isDirectory ? filesBelow(path, { ignoreFiles: true, wanted: () => true }, builder.report) : [source];
  } catch (error) {
    const message = `catalog ${name} cannot be read: ${reasonOf(error)}`;
    const meant =
      ((error as NodeJS.ErrnoException).code === "ENOENT" ? pathMeant(path) : undefined) ?? meantReference(path);
    const help = meant === undefined ? {} : { help: `did you mean ${meant}?` };
    // It may be a reference whose scheme was forgotten.
    const found = finding("PL001", wholeSource(withoutUrlSecrets(path)), { message, catalog: name, ...help });
    return { kind: "unreachable", reference, finding: found };
  }
  await readInto(builder, path, paths, files);
  return { kind: "loaded", catalog: builder.finishFrom(source) };
}

function layout({ name, path }: CatalogReference): Finding {
  const message = `catalog ${name} cannot be read: this directory is an image layout`;
  return finding("PL001", wholeSource(path), { message, catalog: name, help: `write oci-layout:${path}` });
}

/** The name and origin of the catalog that a reference names. */
export function identityOf({ name, namespace, priority, onlyFor }: CatalogReference): CatalogIdentity {
  return { name, ...(namespace !== undefined && { namespace }), priority, ...(onlyFor !== undefined && { onlyFor }) };
}

/**
 * Reads files of a catalog, by the names that `files` knows them by; those of bundle directories become bundles. `root` is
 * where all of them are.
 */
export async function readInto(
  builder: CatalogBuilder,
  root: string,
  paths: readonly string[],
  files: InputFiles,
  isDirectory?: (path: string) => boolean,
): Promise<void> {
  const tree = treeFiles(paths, isDirectory);
  const directories = new BundleDirectories(builder);
  for (const { bundles, findings } of await readPackages([...tree.packages.values()], files)) {
    for (const item of findings) builder.report(item);
    for (const [directory, bundle] of bundles) directories.add(directory, bundle);
  }
  const old = await oldPackages(tree, builder, files);
  if (tree.packages.size === 0 && old.size === 0)
    for (const file of tree.others) await files.read(file, (value, place) => builder.add(value, place), builder.report);
  else await readBesideBundles(root, tree, old, directories, builder, files);
  directories.finish();
}

/** The path that was probably meant by one that does not exist: a similar name next to it. */
function pathMeant(path: string): string | undefined {
  const parent = dirname(path);
  const own = basename(path);
  // A dangling link has the name itself.
  const meant = didYouMean(
    own,
    namesIn(parent).filter((name) => name !== own),
  );
  return meant === undefined ? undefined : join(parent, meant);
}

/** The names in a directory; none if they cannot be read. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/**
 * Reads what is in a tree besides its bundle directories: the settings of packages, and files of a file-based catalog.
 * Anything else is ignored.
 */
async function readBesideBundles(
  root: string,
  { packages, others }: TreeFiles,
  old: ReadonlySet<string>,
  directories: BundleDirectories,
  builder: CatalogBuilder,
  files: InputFiles,
): Promise<void> {
  const rendered = new Map<string, string>();
  for (const file of others) {
    const members = packages.get(dirname(file));
    if (members !== undefined && SETTINGS_FILE.test(file)) {
      const settle: DocumentSink = (value, place) => directories.addSettings([...members.keys()], value, place);
      await files.read(file, settle, builder.report);
      continue;
    }
    if (!CATALOG_FILE.test(file) || isInside(file, old)) continue;
    const steps = relative(root, file).split(sep).slice(0, -1);
    if (steps.includes(TEMPLATES)) continue;
    const depth = steps.indexOf(RENDERED);
    if (depth < 0) await readFileBesideBundles(file, builder, files);
    else {
      const folder = join(root, ...steps.slice(0, depth + 1));
      if (!rendered.has(folder)) rendered.set(folder, join(root, ...steps.slice(0, depth + 2)));
    }
  }
  for (const [folder, one] of rendered) {
    const message = "these catalogs are made of the bundles of this tree, and are not read together with them";
    builder.report(
      finding("PL085", wholeSource(folder), { message, help: `give one of them instead: --catalog ${one}` }),
    );
  }
}

/** A file with a document that has a schema is part of a file-based catalog, and its errors are reported. */
async function readFileBesideBundles(file: string, builder: CatalogBuilder, files: InputFiles): Promise<void> {
  const findings = new FindingList();
  let isCatalog = false;
  const sink: DocumentSink = (value, place) => {
    if (!Object.hasOwn(value, "schema")) return;
    isCatalog = true;
    builder.add(value, place);
  };
  await files.read(file, sink, findings.report);
  if (isCatalog) for (const item of findings.kept) builder.report(item);
}
