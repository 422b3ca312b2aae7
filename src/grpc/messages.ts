// What do the messages of `api.Registry` contain? The field numbers are those of registry.proto of operator-registry.

import { type FieldBudget, messageWithText, readFields, type Span, textOf, wholeMessage } from "./protobuf.ts";

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
export function readPackageName(bytes: Buffer, budget: FieldBudget): string {
  let name = "";
  readFields(wholeMessage(bytes), budget, (field, start, end) => {
    if (field === 1) name = textOf(bytes, start, end);
  });
  return name;
}

export function readPackage(bytes: Buffer, budget: FieldBudget): PackageMessage {
  const read: Writable<PackageMessage> = { name: "", channels: [], defaultChannel: "", deprecation: undefined };
  const channels: ChannelMessage[] = [];
  readFields(wholeMessage(bytes), budget, (field, start, end) => {
    if (field === 1) read.name = textOf(bytes, start, end);
    else if (field === 2) channels.push(readChannel({ bytes, start, end }, budget));
    else if (field === 3) read.defaultChannel = textOf(bytes, start, end);
    else if (field === 4) read.deprecation = readDeprecation({ bytes, start, end }, budget, read.deprecation);
  });
  return { ...read, channels };
}

function readChannel(message: Span, budget: FieldBudget): ChannelMessage {
  const { bytes } = message;
  const read: Writable<ChannelMessage> = { name: "", deprecation: undefined };
  readFields(message, budget, (field, start, end) => {
    if (field === 1) read.name = textOf(bytes, start, end);
    else if (field === 3) read.deprecation = readDeprecation({ bytes, start, end }, budget, read.deprecation);
  });
  return read;
}

/**
 * Reads the rows of ListBundles. Bundles have most of their properties in common, and each row repeats them: equal ones are one
 * object.
 */
export class BundleRows {
  readonly #budget: FieldBudget;
  readonly #typed = new Map<string, TypedText>();
  readonly #apis = new Map<string, Api>();

  constructor(budget: FieldBudget) {
    this.#budget = budget;
  }

  read(bytes: Buffer): BundleRow {
    const [skips, objects]: [string[], string[]] = [[], []];
    const [properties, dependencies]: [TypedText[], TypedText[]] = [[], []];
    const [providedApis, requiredApis]: [Api[], Api[]] = [[], []];
    const lists = { objects, properties, dependencies, providedApis, requiredApis };
    const content: Writable<BundleContent> = { image: "", version: "", csv: "", ...lists };
    const row: Writable<BundleRow> = {
      ...{ name: "", package: "", channel: "", replaces: "", skips, skipRange: "", deprecation: undefined },
      content,
    };
    readFields(wholeMessage(bytes), this.#budget, (field, start, end) => {
      switch (field) {
        case 1:
          row.name = textOf(bytes, start, end);
          break;
        case 2:
          row.package = textOf(bytes, start, end);
          break;
        case 3:
          row.channel = textOf(bytes, start, end);
          break;
        case 4:
          content.csv = textOf(bytes, start, end);
          break;
        case 5:
          objects.push(textOf(bytes, start, end));
          break;
        case 6:
          content.image = textOf(bytes, start, end);
          break;
        case 7:
          providedApis.push(this.#shared(this.#apis, { bytes, start, end }, readApi));
          break;
        case 8:
          requiredApis.push(this.#shared(this.#apis, { bytes, start, end }, readApi));
          break;
        case 9:
          content.version = textOf(bytes, start, end);
          break;
        case 10:
          row.skipRange = textOf(bytes, start, end);
          break;
        case 11:
          dependencies.push(this.#shared(this.#typed, { bytes, start, end }, readTypedText));
          break;
        case 12:
          properties.push(this.#shared(this.#typed, { bytes, start, end }, readTypedText));
          break;
        case 13:
          row.replaces = textOf(bytes, start, end);
          break;
        case 14:
          skips.push(textOf(bytes, start, end));
          break;
        case 15:
          row.deprecation = readDeprecation({ bytes, start, end }, this.#budget, row.deprecation);
          break;
      }
    });
    return row;
  }

  /** The message, read once for equal bytes. */
  #shared<Message>(
    known: Map<string, Message>,
    span: Span,
    read: (span: Span, budget: FieldBudget) => Message,
  ): Message {
    const { bytes, start, end } = span;
    if (end - start > MAX_SHARED) return read(span, this.#budget);
    const key = bytes.toString("latin1", start, end);
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = read(span, this.#budget);
    known.set(key, made);
    return made;
  }
}

/** Larger ones are seldom equal. */
const MAX_SHARED = 4096;

function readTypedText(message: Span, budget: FieldBudget): TypedText {
  const { bytes } = message;
  const read: Writable<TypedText> = { type: "", value: "" };
  readFields(message, budget, (field, start, end) => {
    if (field === 1) read.type = textOf(bytes, start, end);
    else if (field === 2) read.value = textOf(bytes, start, end);
  });
  return read;
}

function readApi(message: Span, budget: FieldBudget): Api {
  const { bytes } = message;
  const read: Writable<Api> = { group: "", version: "", kind: "" };
  readFields(message, budget, (field, start, end) => {
    if (field === 1) read.group = textOf(bytes, start, end);
    else if (field === 2) read.version = textOf(bytes, start, end);
    else if (field === 3) read.kind = textOf(bytes, start, end);
  });
  return read;
}

/** A message that comes in two parts is merged, as protobuf wants it. */
function readDeprecation(message: Span, budget: FieldBudget, before: string | undefined): string {
  let words = before ?? "";
  readFields(message, budget, (field, start, end) => {
    if (field === 1) words = textOf(message.bytes, start, end);
  });
  return words;
}

/** Have two bundles the same content? Equal properties and APIs are one object, unless they are large. */
export function isSameContent(a: BundleContent, b: BundleContent): boolean {
  return (
    a.image === b.image &&
    a.version === b.version &&
    a.csv === b.csv &&
    areSame(a.objects, b.objects, (one, other) => one === other) &&
    areSame(a.properties, b.properties, isSameTyped) &&
    areSame(a.dependencies, b.dependencies, isSameTyped) &&
    areSame(a.providedApis, b.providedApis, isSameApi) &&
    areSame(a.requiredApis, b.requiredApis, isSameApi)
  );
}

function areSame<Item>(a: readonly Item[], b: readonly Item[], isSame: (one: Item, other: Item) => boolean): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index] || isSame(one, b[index] as Item));
}

function isSameTyped(a: TypedText, b: TypedText): boolean {
  return a.type === b.type && a.value === b.value;
}

function isSameApi(a: Api, b: Api): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}

type Writable<Message> = { -readonly [Key in keyof Message]: Message[Key] };
