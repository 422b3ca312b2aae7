// Which packages of a tree are in the old form, package manifests? Such a directory has a file NAME.package.yaml, and a
// directory for each version with nothing but manifests. It is not read, but the user learns how to convert it.

import { dirname } from "node:path";
import type { CatalogBuilder } from "../input/catalog/catalog-builder.ts";
import { finding } from "../model/finding.ts";
import { isList, own } from "../model/json.ts";
import type { Place } from "../model/place.ts";
import { quoted } from "../text/words.ts";
import { isInside, type TreeFiles } from "./bundle-files.ts";
import type { InputFiles } from "./input-files.ts";

const PACKAGE_FILE = /(^|[/\\.])package\.ya?ml$/i;
const CSV_FILE = /clusterserviceversion\.ya?ml$/i;

/** The directories of packages in the old form, each of which is reported. */
export async function oldPackages(
  { packages, others }: TreeFiles,
  builder: CatalogBuilder,
  files: InputFiles,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const csvs = others.filter((file) => CSV_FILE.test(file));
  for (const file of others) {
    if (!PACKAGE_FILE.test(file)) continue;
    const directory = dirname(file);
    const hasBundles = packages.has(directory);
    // The file may be a remainder of a package that was converted.
    if (hasBundles && !csvs.some((csv) => isInside(csv, new Set([directory])))) continue;
    let stated: { readonly name: string; readonly place: Place } | undefined;
    await files.read(
      file,
      (value, place) => {
        const name = own(value, "packageName");
        if (typeof name === "string" && isList(own(value, "channels"))) stated ??= { name, place };
      },
      () => {}, // it is another file
    );
    if (stated === undefined) continue;
    found.add(directory);
    const { name, place } = stated;
    const what = hasBundles ? "some versions of the package" : "the package";
    builder.report(
      finding("PL084", place, {
        message: `${what} ${quoted(name)} ${hasBundles ? "are" : "is"} in the package manifests format, which cannot be read`,
        help: `convert it to bundle directories: \`operator-sdk pkgman-to-bundle ${directory}\`, or \`opm alpha bundle generate\` for each version`,
        package: name,
        dropped: hasBundles ? "bundle" : "package",
      }),
    );
    if (!hasBundles) builder.drafts.brokenPackages.push(name);
  }
  return found;
}
