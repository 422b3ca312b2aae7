// Are messages read as they were written, and are bytes that are no message refused with a clear fault?
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bundleMessage,
  field,
  packageMessage,
  packageName,
  type TestBundle,
  type TestPackage,
  varint,
} from "../../test/grpc/registry-messages.ts";
import "../../test/property-seed.ts";
import { type BundleRow, BundleRows, packageRequest, readPackage, readPackageName } from "./messages.ts";
import { type FieldBudget, fieldBudget, WireFault } from "./protobuf.ts";

const PLENTY = 1_000_000;

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const texts = fc.array(text, { maxLength: 3 });
const typed = fc.array(fc.record({ type: text, value: text }), { maxLength: 3 });
const apis = fc.array(fc.record({ group: text, version: text, kind: text, plural: text }), { maxLength: 3 });
const deprecation = fc.option(text, { nil: undefined });
const channel = fc.record({ name: text, head: text, deprecation });
const aPackage = fc.record({
  name: text,
  defaultChannel: text,
  channels: fc.array(channel, { maxLength: 3 }),
  deprecation,
});
const bundle = fc.record({
  ...{
    name: text,
    package: text,
    channel: text,
    csv: text,
    objects: texts,
    image: text,
    version: text,
    skipRange: text,
  },
  ...{ providedApis: apis, requiredApis: apis, dependencies: typed, properties: typed },
  ...{ replaces: text, skips: texts, deprecation },
});

const readBundle = (bytes: Buffer, budget: FieldBudget): BundleRow => new BundleRows(budget).read(bytes);

test("what is written is read", () => {
  fc.assert(
    fc.property(text, (name) => {
      expect(readPackageName(packageName(name), fieldBudget(PLENTY))).toBe(name);
      expect(readPackageName(packageRequest(name), fieldBudget(PLENTY))).toBe(name);
    }),
  );
  fc.assert(
    fc.property(aPackage, (written) => {
      const read = readPackage(packageMessage(written as TestPackage), fieldBudget(PLENTY));
      const channels = written.channels.map(({ name, deprecation: words }) => ({ name, deprecation: words }));
      expect(read).toEqual({ ...written, channels });
    }),
  );
  fc.assert(
    fc.property(bundle, (written) => {
      const row = readBundle(bundleMessage(written as TestBundle), fieldBudget(PLENTY));
      const { content, ...rest } = row;
      const withoutPlural = (list: typeof written.providedApis) => list.map(({ plural: _, ...api }) => api);
      expect({ ...rest, ...content }).toEqual({
        ...written,
        providedApis: withoutPlural(written.providedApis),
        requiredApis: withoutPlural(written.requiredApis),
      });
    }),
  );
});

test("random and damaged bytes are read, or refused with a fault", () => {
  const tried = (bytes: Uint8Array): void => {
    for (const read of [readPackageName, readPackage, readBundle])
      try {
        read(Buffer.from(bytes), fieldBudget(PLENTY));
      } catch (error) {
        expect(error).toBeInstanceOf(WireFault);
      }
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), tried));
  const damage = fc.tuple(bundle, fc.nat(), fc.nat(255), fc.nat());
  fc.assert(
    fc.property(damage, ([written, at, byte, length]) => {
      const bytes = bundleMessage(written as TestBundle);
      if (bytes.length > 0) bytes[at % bytes.length] = byte;
      tried(bytes.subarray(0, length % (bytes.length + 1)));
    }),
  );
});

const faultOf = (...parts: readonly (Buffer | readonly number[])[]): string => {
  try {
    readPackageName(Buffer.concat(parts.map((part) => Buffer.from(part))), fieldBudget(PLENTY));
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

test("faults", () => {
  expect(faultOf([0x0a])).toBe("sends a message that ends in the middle of a number");
  expect(faultOf([0x0a, 3, 0x61])).toBe("sends a message that ends in the middle of a field");
  expect(faultOf([0x0a], varint(2n ** 64n - 1n), [0x61])).toBe("sends a message that ends in the middle of a field");
  expect(faultOf(Buffer.alloc(11, 0x80))).toBe("sends a message that has a number of more than 10 bytes");
  expect(faultOf([0x02, 0])).toBe("sends a message that has a field with an invalid number");
  expect(faultOf(varint(2n ** 33n + 2n), [0])).toBe("sends a message that has a field with an invalid number");
  expect(faultOf([0x0b])).toBe("sends a message that has a field of an unknown type");
  expect(faultOf([0x09, 1, 2, 3])).toBe("sends a message that ends in the middle of a field");
  expect(faultOf(field(1, Buffer.from([0xc3])))).toBe("sends a message that has a text that is not UTF-8");
  expect(faultOf(field(1, "a real \ufffd"))).toBe("");
});

test("unknown fields and other types are skipped; the last text counts", () => {
  const unknown = Buffer.concat([
    Buffer.from([0x08, 0x96, 0x01]), // 1 as a number
    Buffer.from([0x11, 1, 2, 3, 4, 5, 6, 7, 8]),
    Buffer.from([0x1d, 1, 2, 3, 4]),
    field(536_870_911, "x"),
  ]);
  const name = Buffer.concat([field(1, "first"), unknown, field(1, "last"), unknown]);
  expect(readPackageName(name, fieldBudget(PLENTY))).toBe("last");
});

test("the parts of a deprecation are merged", () => {
  const twice = Buffer.concat([field(15, field(1, "words")), Buffer.from([0x7a, 0])]);
  expect(readBundle(twice, fieldBudget(PLENTY)).deprecation).toBe("words");
  expect(readBundle(Buffer.from([0x7a, 0]), fieldBudget(PLENTY)).deprecation).toBe("");
});

test("the fields of all messages are counted, also those inside of others", () => {
  const budget = fieldBudget(4);
  const row = bundleMessage({ name: "a", package: "", channel: "", properties: [{ type: "t", value: "1" }] });
  readBundle(row, budget);
  expect(() => readBundle(row, budget)).toThrow("sends messages with more than 4 fields");
});
