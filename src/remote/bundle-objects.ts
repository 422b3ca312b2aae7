// Which manifests does the image of a bundle contain? As properties, as a catalog has them that includes manifests.

import { manifestProperty } from "../input/bundle-directory/derive-bundle.ts";
import type { Limits } from "../input/limits.ts";
import { readDocuments } from "../input/read-documents.ts";
import type { Property } from "../model/catalog.ts";
import type { Finding } from "../model/finding.ts";
import { NetFailure } from "../net/failure.ts";
import { bundleManifests } from "./open-image.ts";
import type { RemoteSetting } from "./setting.ts";

/** The manifests of a bundle's image. Throws a {@link NetFailure} if one of them cannot be read: half of them would mislead. */
export async function bundleObjects(
  image: string,
  setting: RemoteSetting,
  limits: Limits,
): Promise<readonly Property[]> {
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
  if (properties.length === 0) throw new NetFailure("malformed", `the image ${image} has no manifests`);
  return properties;
}
