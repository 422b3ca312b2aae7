// To which package and channels does a bundle directory belong? Its annotations say so; which file they stand in does
// not matter.

import { finding, type Report } from "../../model/finding.ts";
import { isObject, type Json, type JsonObject, own, typeName } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import type { GivenDirectory } from "./given-document.ts";

const PREFIX = "operators.operatorframework.io.bundle.";
const MEDIA_TYPE = `${PREFIX}mediatype.v1`;
const PACKAGE = `${PREFIX}package.v1`;
/** The annotation with the channels of a bundle. */
export const CHANNELS: string = `${PREFIX}channels.v1`;
/** The annotation with the default channel of the package. */
export const DEFAULT_CHANNEL: string = `${PREFIX}channel.default.v1`;

const REGISTRY_V1 = "registry+v1";

/** What the annotations of a bundle directory say. */
export interface BundleAnnotations {
  readonly package: string | undefined;
  /** Empty only if there was a fault. */
  readonly channels: readonly string[];
  readonly defaultChannel: string | undefined;
  /** The annotations themselves. */
  readonly place: Place;
}

/** Reads the annotations; faults are reported, and what could be read is there nevertheless. */
export function readAnnotations(directory: GivenDirectory, report: Report): BundleAnnotations | undefined {
  const blocks = annotationBlocks(directory, report);
  const first = blocks[0];
  if (first === undefined) return undefined;
  const text = (key: string) => textUnder(key, blocks, report);
  const missing = (key: string, example: string) =>
    report(
      finding("PL080", first.place, {
        message: `the annotation ${key} is missing`,
        help: `write \`${key}: ${example}\` under \`annotations\``,
      }),
    );
  const empty = (key: string, place: Place, help: string) =>
    report(finding("PL080", place, { message: `the annotation ${key} is empty`, help }));

  const media = text(MEDIA_TYPE);
  if (media !== undefined && media.text !== REGISTRY_V1)
    report(
      finding("PL080", media.place, {
        message: `the annotation ${MEDIA_TYPE} is ${JSON.stringify(media.text)}, but only ${REGISTRY_V1} can be read`,
        help: `write \`${MEDIA_TYPE}: ${REGISTRY_V1}\` if the directory has that form`,
      }),
    );

  const owner = text(PACKAGE);
  if (owner === undefined) missing(PACKAGE, "NAME-OF-THE-PACKAGE");
  else if (owner.text.trim() === "") empty(PACKAGE, owner.place, "write the name of the package");

  const listed = text(CHANNELS);
  const channels = [...new Set(listed?.text.split(",").map((name) => name.trim()))].filter((name) => name !== "");
  if (listed === undefined) missing(CHANNELS, "stable");
  else if (channels.length === 0) empty(CHANNELS, listed.place, "write the channels, separated by commas");

  const preferred = text(DEFAULT_CHANNEL);
  const defaultChannel = preferred?.text.trim();
  if (preferred !== undefined && defaultChannel === "")
    empty(DEFAULT_CHANNEL, preferred.place, "write the name of a channel, or remove the annotation");
  return {
    package: owner?.text.trim() ? owner.text : undefined,
    channels,
    defaultChannel: defaultChannel || undefined,
    place: first.place,
  };
}

interface Block {
  readonly values: JsonObject;
  readonly place: Place;
}

/** The `annotations` of all documents; a directory has one of them, as a rule. */
function annotationBlocks({ name, metadata, manifests }: GivenDirectory, report: Report): readonly Block[] {
  const blocks: Block[] = [];
  let isGiven = false;
  for (const document of metadata) {
    const values = own(document.value, "annotations");
    if (values === undefined || values === null) continue;
    isGiven = true;
    const place = inside(document.place, "annotations");
    if (isObject(values)) blocks.push({ values, place });
    else report(finding("PL080", place, { message: `annotations must be an object, but is ${typeName(values)}` }));
  }
  const anywhere = metadata[0] ?? manifests[0];
  if (!isGiven && anywhere !== undefined)
    report(
      finding("PL080", anywhere.place, {
        message: `the bundle directory ${name} has no annotations`,
        help: `add metadata/annotations.yaml with \`annotations:\`, and ${PACKAGE} and ${CHANNELS} under it`,
      }),
    );
  return blocks;
}

/** The text of an annotation. Two documents may both have it, as long as they agree. */
function textUnder(
  key: string,
  blocks: readonly Block[],
  report: Report,
): { readonly text: string; readonly place: Place } | undefined {
  let found: { readonly text: string; readonly place: Place } | undefined;
  for (const block of blocks) {
    const value = own(block.values, key);
    if (value === undefined || value === null) continue;
    const place = inside(block.place, key);
    const text = typeof value === "string" ? value : notText(key, value, place, report);
    if (found !== undefined && found.text !== text && typeof value === "string")
      report(
        finding("PL080", place, {
          message: `the annotation ${key} is given twice: ${JSON.stringify(found.text)} and ${JSON.stringify(text)}`,
          help: "remove one of them",
        }),
      );
    found ??= { text, place };
  }
  return found;
}

/** Reports an annotation that is not text, and takes a plain number for the text that was meant. */
function notText(key: string, value: Json, place: Place, report: Report): string {
  const isPlain = typeof value !== "object";
  report(
    finding("PL080", place, {
      message: `the annotation ${key} must be text, but is ${typeName(value)}`,
      ...(isPlain && { help: "put it in quotes" }),
    }),
  );
  return isPlain ? String(value) : "?";
}
