// What is kept of an image besides its layers? Its labels and the names of its layers, as JSON for a cache: its files are then
// found without a registry.

import { field, parsedJson, textField } from "../net/json-fields.ts";
import { descriptorOf } from "./manifest.ts";
import type { Image } from "./read-image.ts";

/** The image as bytes. */
export function packImage({ digest, labels, layers }: Image): Uint8Array {
  return Buffer.from(JSON.stringify({ digest, labels: [...labels], layers }));
}

/** The image of such bytes; undefined if they are something else. */
export function unpackImage(bytes: Uint8Array): Image | undefined {
  const value = parsedJson(Buffer.from(bytes).toString());
  const digest = textField(value, "digest");
  const [labels, layers] = [field(value, "labels"), field(value, "layers")];
  if (digest === undefined || !Array.isArray(labels) || !Array.isArray(layers)) return undefined;
  const known = labels.filter(
    (pair): pair is [string, string] => Array.isArray(pair) && pair.every((text) => typeof text === "string"),
  );
  const descriptors = layers.flatMap((layer) => descriptorOf(layer) ?? []);
  if (known.length < labels.length || descriptors.length < layers.length) return undefined;
  return { digest, labels: new Map(known), layers: descriptors };
}
