// To which package and channels does a bundle directory belong? Its annotations state it, in any file of `metadata/`.

import { finding, type Report } from "../../model/finding.ts";
import { isObject, type JsonObject, own, typeName } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import { quoted } from "../../text/words.ts";
import type { GivenDirectory } from "./given-document.ts";

const PREFIX = "operators.operatorframework.io.bundle.";
const MEDIA_TYPE = `${PREFIX}mediatype.v1`;
const PACKAGE = `${PREFIX}package.v1`;
/** The annotation with the channels of a bundle. */
export const CHANNELS: string = `${PREFIX}channels.v1`;
/** The annotation with the default channel of the package. */
export const DEFAULT_CHANNEL: string = `${PREFIX}channel.default.v1`;

const REGISTRY_V1 = "registry+v1";
/** More channels than any package has; every bundle has an entry in each of its channels. */
const MAX_CHANNELS = 250;

/** The content of a bundle directory's annotations. */
export interface BundleAnnotations {
  readonly package: string | undefined;
  /** Empty only if there was an error. */
  readonly channels: readonly string[];
  readonly defaultChannel: string | undefined;
  /** The annotations themselves. */
  readonly place: Place;
}

/** Reads the annotations; errors are reported, and what can be read is returned anyway. */
export function readAnnotations(directory: GivenDirectory, report: Report): BundleAnnotations | undefined {
  const blocks = annotationBlocks(directory, report);
  const first = blocks[0];
  if (first === undefined) return undefined;
  const find = (key: string) => annotationOf(key, blocks, report);
  const wrong = (key: string, place: Place, what: string, help: string) =>
    report(finding("PL080", place, { message: `the annotation ${key} ${what}`, help }));
  const missing = (key: string, example: string) =>
    wrong(key, first.place, "is missing", `write \`${key}: ${example}\` under \`annotations\``);
  const empty = (key: string, place: Place, help: string) => wrong(key, place, "is empty", help);

  const media = find(MEDIA_TYPE);
  if (media?.text !== undefined && media.text !== REGISTRY_V1)
    wrong(
      MEDIA_TYPE,
      media.place,
      `is ${quoted(media.text)}, but only ${REGISTRY_V1} can be read`,
      `write \`${MEDIA_TYPE}: ${REGISTRY_V1}\` if the directory has that form`,
    );

  const owner = find(PACKAGE);
  if (owner === undefined) missing(PACKAGE, "NAME-OF-THE-PACKAGE");
  else if (owner.text?.trim() === "") empty(PACKAGE, owner.place, "write the name of the package");

  const listed = find(CHANNELS);
  const channels = channelsIn(listed?.text ?? "");
  if (listed === undefined) missing(CHANNELS, "stable");
  else if (listed.text !== undefined && channels.length === 0)
    empty(CHANNELS, listed.place, "write the channels, separated by commas");
  else if (channels.length > MAX_CHANNELS)
    wrong(CHANNELS, listed.place, `names more than ${MAX_CHANNELS} channels`, "put the bundle into fewer channels");

  const preferred = find(DEFAULT_CHANNEL);
  const defaultChannel = preferred?.text?.trim();
  if (preferred !== undefined && defaultChannel === "")
    empty(DEFAULT_CHANNEL, preferred.place, "write the name of a channel, or remove the annotation");
  return {
    package: owner?.text?.trim() ? owner.text : undefined,
    channels: channels.slice(0, MAX_CHANNELS),
    defaultChannel: defaultChannel || undefined,
    place: first.place,
  };
}

/** The comma-separated names without duplicates; cut after one too many, which is enough to see that. */
function channelsIn(text: string): readonly string[] {
  const names = text.split(",", MAX_CHANNELS + 1).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== "");
}

interface Block {
  readonly values: JsonObject;
  readonly place: Place;
}

/** The `annotations` of all documents; usually a directory has one. */
function annotationBlocks(directory: GivenDirectory, report: Report): readonly Block[] {
  const { name, metadata, manifests, hasUnreadable } = directory;
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
  if (!isGiven && !hasUnreadable && anywhere !== undefined)
    report(
      finding("PL080", anywhere.place, {
        message: `the bundle directory ${name} has no annotations`,
        help: `add metadata/annotations.yaml with \`annotations:\`, and ${PACKAGE} and ${CHANNELS} under it`,
      }),
    );
  return blocks;
}

/** An annotation; the text is missing if the value is not a string, such as a number without quotes. */
interface Annotation {
  readonly text: string | undefined;
  readonly place: Place;
}

/** Finds an annotation. Two documents may both have it, if the values are equal. */
function annotationOf(key: string, blocks: readonly Block[], report: Report): Annotation | undefined {
  let found: Annotation | undefined;
  for (const block of blocks) {
    const value = own(block.values, key);
    if (value === undefined || value === null) continue;
    const place = inside(block.place, key);
    if (typeof value !== "string")
      report(
        finding("PL080", place, {
          message: `the annotation ${key} must be text, but is ${typeName(value)}`,
          ...(typeof value !== "object" && { help: "put it in quotes" }),
        }),
      );
    else if (found?.text !== undefined && found.text !== value)
      report(
        finding("PL080", place, {
          message: `the annotation ${key} is given twice: ${quoted(found.text)} and ${quoted(value)}`,
          help: "remove one of them",
        }),
      );
    if (found?.text === undefined) found = { text: typeof value === "string" ? value : undefined, place };
  }
  return found;
}
