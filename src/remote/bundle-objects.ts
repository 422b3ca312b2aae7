// Which manifests does the image of a bundle contain? As properties, as a catalog has them that includes manifests.

import { manifestProperty } from "../input/bundle-directory/manifest-property.ts";
import type { Limits } from "../input/limits.ts";
import { readDocuments } from "../input/read-documents.ts";
import type { Property } from "../model/catalog.ts";
import type { Finding } from "../model/finding.ts";
import { failureOfOne, NetFailure } from "../net/failure.ts";
import { inParallel } from "../net/in-parallel.ts";
import { bundleManifests } from "./open-image.ts";
import type { RemoteSetting } from "./setting.ts";

/** The manifests of an image, or why they could not be fetched. */
export type FetchedObjects =
  | { readonly properties: readonly Property[] }
  | { readonly message: string; readonly help: string | undefined };

const AT_ONCE = 4;

/** The manifests of several images, in their order; `onFetched` is called for each. */
export function fetchObjects(
  images: readonly string[],
  setting: RemoteSetting,
  limits: Limits,
  onFetched: () => void,
): Promise<readonly FetchedObjects[]> {
  return inParallel(images, AT_ONCE, async (image) => {
    try {
      return { properties: await bundleObjects(image, setting, limits) };
    } catch (error) {
      const { message, help } = failureOfOne(error);
      return { message, help };
    } finally {
      onFetched();
    }
  });
}

/** The manifests of a bundle's image. Throws a {@link NetFailure} if one of them cannot be read: half of them would mislead. */
async function bundleObjects(image: string, setting: RemoteSetting, limits: Limits): Promise<readonly Property[]> {
  const properties: Property[] = [];
  for (const { path, bytes } of await bundleManifests(image, setting)) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (name.startsWith(".") || !/\.(ya?ml|json)$/i.test(name)) continue;
    const findings: Finding[] = [];
    await readDocuments(
      (async function* () {
        yield bytes;
      })(),
      {
        ...{ source: path, limits, report: (item: Finding) => findings.push(item) },
        sink: (value) => void properties.push(manifestProperty(value)),
      },
    );
    const fault = findings.find(({ severity }) => severity === "error");
    if (fault !== undefined)
      throw new NetFailure("malformed", `${path} in the image ${image} cannot be read: ${fault.message}`, {
        help: "ask the publisher of the bundle",
      });
  }
  if (properties.length === 0)
    throw new NetFailure("malformed", `the image ${image} has no manifests`, {
      help: "ask the publisher of the bundle",
    });
  return properties;
}
