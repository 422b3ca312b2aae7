// Which bytes does a registry of the tests send? The messages of `api.Registry`, written by an encoder of the tests' own.

export interface TestChannel {
  readonly name: string;
  readonly head?: string;
  readonly deprecation?: string;
}

export interface TestPackage {
  readonly name: string;
  readonly defaultChannel: string;
  readonly channels?: readonly TestChannel[];
  readonly deprecation?: string;
}

/** A property or a dependency. */
export interface TestProperty {
  readonly type: string;
  /** JSON text. */
  readonly value: string;
}

export interface TestApi {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
}

/** A row of ListBundles. */
export interface TestBundle {
  readonly name: string;
  readonly package: string;
  readonly channel: string;
  readonly csv?: string;
  readonly objects?: readonly string[];
  readonly image?: string;
  readonly providedApis?: readonly TestApi[];
  readonly requiredApis?: readonly TestApi[];
  readonly version?: string;
  readonly skipRange?: string;
  readonly dependencies?: readonly TestProperty[];
  readonly properties?: readonly TestProperty[];
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly deprecation?: string;
}

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

/** A field with a text or a message; nothing if it is undefined or empty, as servers leave such fields out. */
export function field(number: number, value: string | Buffer | undefined): Buffer {
  if (value === undefined || value === "") return Buffer.alloc(0);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

const each = <Item>(number: number, items: readonly Item[] = [], encode: (item: Item) => string | Buffer): Buffer =>
  Buffer.concat(items.map((item) => field(number, Buffer.from(encode(item)))));

const deprecated = (number: number, message: string | undefined): Buffer =>
  message === undefined ? Buffer.alloc(0) : field(number, field(1, message));

export function packageName(name: string): Buffer {
  return field(1, name);
}

export function packageMessage({ name, defaultChannel, channels, deprecation }: TestPackage): Buffer {
  const channel = (one: TestChannel): Buffer =>
    Buffer.concat([field(1, one.name), field(2, one.head), deprecated(3, one.deprecation)]);
  return Buffer.concat([
    field(1, name),
    each(2, channels, channel),
    field(3, defaultChannel),
    deprecated(4, deprecation),
  ]);
}

export function bundleMessage(bundle: TestBundle): Buffer {
  const api = ({ group, version, kind, plural }: TestApi): Buffer =>
    Buffer.concat([field(1, group), field(2, version), field(3, kind), field(4, plural)]);
  const property = ({ type, value }: TestProperty): Buffer => Buffer.concat([field(1, type), field(2, value)]);
  return Buffer.concat([
    field(1, bundle.name),
    field(2, bundle.package),
    field(3, bundle.channel),
    field(4, bundle.csv),
    each(5, bundle.objects, (text) => text),
    field(6, bundle.image),
    each(7, bundle.providedApis, api),
    each(8, bundle.requiredApis, api),
    field(9, bundle.version),
    field(10, bundle.skipRange),
    each(11, bundle.dependencies, property),
    each(12, bundle.properties, property),
    field(13, bundle.replaces),
    each(14, bundle.skips, (text) => text),
    deprecated(15, bundle.deprecation),
  ]);
}

/** The name in a request for a package. */
export function nameInRequest(framed: Buffer): string {
  return framed.subarray(7).toString();
}
