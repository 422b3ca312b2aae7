// What do the messages of `api.Registry` contain? The field numbers are those of registry.proto of operator-registry.

import { type FieldBudget, messageWithText, readFields, textOf } from "./protobuf.ts";

/** What GetPackage returns. */
export interface PackageMessage {
  readonly name: string;
  readonly channels: readonly ChannelMessage[];
  readonly defaultChannel: string;
  /** The message of the deprecation; undefined if it is not deprecated. */
  readonly deprecation: string | undefined;
}

export interface ChannelMessage {
  readonly name: string;
  readonly deprecation: string | undefined;
}

/** A row of ListBundles: a bundle in one channel. */
export interface BundleRow {
  readonly name: string;
  readonly package: string;
  readonly channel: string;
  readonly replaces: string;
  readonly skips: readonly string[];
  readonly skipRange: string;
  readonly deprecation: string | undefined;
  readonly content: BundleContent;
}

/** What is the same in all channels of a bundle. */
export interface BundleContent {
  readonly image: string;
  readonly version: string;
  /** The ClusterServiceVersion and all manifests, as JSON text. Servers leave them out if there is an image. */
  readonly csv: string;
  readonly objects: readonly string[];
  readonly properties: readonly TypedText[];
  /** The same requirements as in `properties`, in an older spelling. */
  readonly dependencies: readonly TypedText[];
  readonly providedApis: readonly Api[];
  readonly requiredApis: readonly Api[];
}

/** A property or a dependency: its value is JSON text. */
export interface TypedText {
  readonly type: string;
  readonly value: string;
}

export interface Api {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export function packageRequest(name: string): Buffer {
  return messageWithText(1, name);
}

/** What ListPackages returns for each package. */
export function readPackageName(message: Buffer, budget: FieldBudget): string {
  let name = "";
  readFields(message, budget, (field, bytes) => {
    if (field === 1) name = textOf(bytes);
  });
  return name;
}

export function readPackage(message: Buffer, budget: FieldBudget): PackageMessage {
  const read: Writable<PackageMessage> = { name: "", channels: [], defaultChannel: "", deprecation: undefined };
  const channels: ChannelMessage[] = [];
  readFields(message, budget, (field, bytes) => {
    if (field === 1) read.name = textOf(bytes);
    else if (field === 2) channels.push(readChannel(bytes, budget));
    else if (field === 3) read.defaultChannel = textOf(bytes);
    else if (field === 4) read.deprecation = readDeprecation(bytes, budget, read.deprecation);
  });
  return { ...read, channels };
}

function readChannel(message: Buffer, budget: FieldBudget): ChannelMessage {
  const read: Writable<ChannelMessage> = { name: "", deprecation: undefined };
  readFields(message, budget, (field, bytes) => {
    if (field === 1) read.name = textOf(bytes);
    else if (field === 3) read.deprecation = readDeprecation(bytes, budget, read.deprecation);
  });
  return read;
}

export function readBundle(message: Buffer, budget: FieldBudget): BundleRow {
  const [skips, objects]: [string[], string[]] = [[], []];
  const [properties, dependencies]: [TypedText[], TypedText[]] = [[], []];
  const [providedApis, requiredApis]: [Api[], Api[]] = [[], []];
  const lists = { objects, properties, dependencies, providedApis, requiredApis };
  const content: Writable<BundleContent> = { image: "", version: "", csv: "", ...lists };
  const row: Writable<BundleRow> = {
    ...{ name: "", package: "", channel: "", replaces: "", skips, skipRange: "", deprecation: undefined },
    content,
  };
  readFields(message, budget, (field, bytes) => {
    switch (field) {
      case 1:
        row.name = textOf(bytes);
        break;
      case 2:
        row.package = textOf(bytes);
        break;
      case 3:
        row.channel = textOf(bytes);
        break;
      case 4:
        content.csv = textOf(bytes);
        break;
      case 5:
        objects.push(textOf(bytes));
        break;
      case 6:
        content.image = textOf(bytes);
        break;
      case 7:
        providedApis.push(readApi(bytes, budget));
        break;
      case 8:
        requiredApis.push(readApi(bytes, budget));
        break;
      case 9:
        content.version = textOf(bytes);
        break;
      case 10:
        row.skipRange = textOf(bytes);
        break;
      case 11:
        dependencies.push(readTypedText(bytes, budget));
        break;
      case 12:
        properties.push(readTypedText(bytes, budget));
        break;
      case 13:
        row.replaces = textOf(bytes);
        break;
      case 14:
        skips.push(textOf(bytes));
        break;
      case 15:
        row.deprecation = readDeprecation(bytes, budget, row.deprecation);
        break;
    }
  });
  return row;
}

function readTypedText(message: Buffer, budget: FieldBudget): TypedText {
  const read: Writable<TypedText> = { type: "", value: "" };
  readFields(message, budget, (field, bytes) => {
    if (field === 1) read.type = textOf(bytes);
    else if (field === 2) read.value = textOf(bytes);
  });
  return read;
}

function readApi(message: Buffer, budget: FieldBudget): Api {
  const read: Writable<Api> = { group: "", version: "", kind: "" };
  readFields(message, budget, (field, bytes) => {
    if (field === 1) read.group = textOf(bytes);
    else if (field === 2) read.version = textOf(bytes);
    else if (field === 3) read.kind = textOf(bytes);
  });
  return read;
}

/** A message that comes in two parts is merged, as protobuf wants it. */
function readDeprecation(message: Buffer, budget: FieldBudget, before: string | undefined): string {
  let words = before ?? "";
  readFields(message, budget, (field, bytes) => {
    if (field === 1) words = textOf(bytes);
  });
  return words;
}

type Writable<Message> = { -readonly [Key in keyof Message]: Message[Key] };
