// Which files of an image are its catalog? Labels say so: the directory of a file-based catalog, or those of one bundle. An old
// index has a database instead, which is not read.

import { NetFailure } from "../net/failure.ts";
import type { Image } from "../oci/read-image.ts";
import { quoted } from "../text/words.ts";

const CONFIGS = "operators.operatorframework.io.index.configs.v1";
const DATABASE = "operators.operatorframework.io.index.database.v1";
const BUNDLE_MANIFESTS = "operators.operatorframework.io.bundle.manifests.v1";
const BUNDLE_METADATA = "operators.operatorframework.io.bundle.metadata.v1";

/** No path in a layer is longer. */
const MAX_PATH = 4096;

/** The directories of an image that matter, without slashes at their ends. */
export type ImageContent =
  | { readonly kind: "catalog"; readonly directories: readonly [string] }
  | { readonly kind: "bundle"; readonly directories: readonly [manifests: string, metadata: string] };

/** What an image contains; `name` is its reference. Throws a {@link NetFailure} if it is neither a catalog nor a bundle. */
export function contentOf({ labels }: Pick<Image, "labels">, name: string): ImageContent {
  const configs = labels.get(CONFIGS);
  if (configs !== undefined) return { kind: "catalog", directories: [directory(configs, CONFIGS, name)] };
  const manifests = labels.get(BUNDLE_MANIFESTS);
  if (manifests !== undefined)
    return {
      kind: "bundle",
      directories: [
        directory(manifests, BUNDLE_MANIFESTS, name),
        directory(labels.get(BUNDLE_METADATA) ?? "metadata/", BUNDLE_METADATA, name),
      ],
    };
  if (labels.has(DATABASE))
    throw new NetFailure("malformed", `the image ${name} is an old index with an SQLite database, which is not read`, {
      help: `migrate it to a file-based catalog: opm migrate ${name} ./catalog`,
    });
  throw new NetFailure("malformed", `the image ${name} is neither a catalog nor a bundle`, {
    help: `a catalog has the label ${CONFIGS}; check the name of the image`,
  });
}

function directory(written: string, label: string, name: string): string {
  const segments = written.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length === 0 || segments.includes("..") || written.length > MAX_PATH)
    throw new NetFailure(
      "malformed",
      `the label ${label} of the image ${name} is ${quoted(written)}, which is no directory of it`,
      {
        help: "build the image anew with a directory such as /configs",
      },
    );
  return segments.join("/");
}
