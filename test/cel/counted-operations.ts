// How many elements, entries and characters does something look at?
//
// Lists and maps count what is asked of them. Texts cannot, so for as long as something runs the functions of strings and
// regular expressions count the characters that they may go through.

/** Counts what is looked at. */
export interface Counter {
  operations: number;
}

/** The value, and all in it, counting what is asked of its lists and maps. */
export function counted<T>(value: T, counter: Counter): T {
  if (Array.isArray(value)) {
    const elements = value.map((element) => counted(element, counter));
    return new Proxy(elements, {
      get(target, key, receiver) {
        if (typeof key === "string" && Number(key) >= 0) counter.operations++;
        return Reflect.get(target, key, receiver);
      },
    }) as T;
  }
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, counted(entry, counter)]);
  return new Proxy(Object.fromEntries(entries), {
    get(target, key, receiver) {
      counter.operations++;
      return Reflect.get(target, key, receiver);
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target);
      counter.operations += keys.length;
      return keys;
    },
  });
}

/** Functions of strings that go through all of it, and those that look at one character: a tenth of an element. */
const THROUGH = "split replace replaceAll match matchAll search toLowerCase toUpperCase trim normalize";
const ONE_CHARACTER = "charCodeAt codePointAt at charAt";

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** How many characters a call went through, from its arguments and its result. */
type Count = (self: unknown, args: readonly unknown[], result: unknown) => number;

/** Runs something, and counts the characters that it may go through. */
export function countCharacters(counter: Counter, run: () => void): void {
  const restored: (() => void)[] = [];
  const patch = (on: object, name: string | symbol, count: Count): void => {
    const original = Reflect.get(on, name) as Method;
    const value = function (this: unknown, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      counter.operations += count(this, args, result);
      return result;
    };
    Object.defineProperty(on, name, { configurable: true, writable: true, value });
    restored.push(() => Object.defineProperty(on, name, { configurable: true, writable: true, value: original }));
  };
  for (const name of THROUGH.split(" ")) patch(String.prototype, name, (self) => length(self));
  for (const name of ONE_CHARACTER.split(" ")) patch(String.prototype, name, () => 0.1);
  patch(String.prototype, Symbol.iterator, (self) => length(self));
  patch(String.prototype, "includes", (self, [part]) => (part === "" ? 0 : length(self)));
  patch(
    String.prototype,
    "indexOf",
    (self, [, from = 0], at) => ((at as number) < 0 ? length(self) : (at as number)) - (from as number),
  );
  patch(String.prototype, "lastIndexOf", (self, [, from], at) => ((from as number) ?? length(self)) - (at as number));
  for (const name of ["startsWith", "endsWith"]) patch(String.prototype, name, (_self, [part]) => length(part));
  patch(RegExp.prototype, "test", (_self, [text]) => length(text));
  patch(TextEncoder.prototype, "encode", (_self, [text]) => length(text));
  patch(JSON, "stringify", (_self, [text]) => length(text));
  try {
    run();
  } finally {
    for (const restore of restored) restore();
  }
}

function length(text: unknown): number {
  return typeof text === "string" ? text.length : 0;
}
