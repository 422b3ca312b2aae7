// How many of the official CEL tests does each library from npm pass? Those without protobuf messages and functions of their
// own; numbers are compared by value, whatever their kind, so that a library with one kind of number is not at a disadvantage.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { compile, Duration, environment, everyLibrary, Timestamp, Uint } from "../dist/cel.js";
import { loadLibrary } from "./cel/libraries.mjs";

/** Prints how many tests each library passes, by section. */
export async function benchCelTests() {
  const engines = await enginesOf();
  if (engines === undefined) return console.log("  the libraries could not be installed: no official tests");
  const tests = await officialTests();
  const sections = [...new Set(tests.map(({ section }) => section))].sort();
  const passed = engines.map((engine) => tests.filter((test) => passes(engine, test)));
  console.log("\nOfficial CEL tests without protobuf messages, passed\n");
  const row = (name, cells) =>
    console.log(`  ${name.padEnd(18)}${cells.map((cell) => String(cell).padStart(22)).join("")}`);
  row(
    "",
    engines.map(({ name }) => name),
  );
  for (const section of sections) {
    const of = tests.filter((test) => test.section === section).length;
    row(
      section,
      passed.map((own) => `${own.filter((test) => test.section === section).length} of ${of}`),
    );
  }
  row(
    "all",
    passed.map((own) => `${own.length} of ${tests.length}`),
  );
}

async function officialTests() {
  const outfile = join(
    fileURLToPath(new URL("../node_modules/.cache/plimsoll/", import.meta.url)),
    "official-tests.mjs",
  );
  mkdirSync(join(outfile, ".."), { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL("cel/official-tests.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "warning",
  });
  return (await import(pathToFileURL(outfile).href)).officialTests();
}

function passes({ run, convert }, { expression, container, bindings, expected }) {
  try {
    const data = Object.fromEntries(Object.entries(bindings).map(([name, value]) => [name, convert(value)]));
    const result = written(run(expression, data, container));
    return expected !== undefined && result === writtenTag(expected);
  } catch {
    return expected === undefined;
  }
}

/** The libraries with the way to call them and to give them a value. */
async function enginesOf() {
  const marc = await loadLibrary("@marcbachmann/cel-js");
  const buf = await loadLibrary("@bufbuild/cel");
  const js = await loadLibrary("cel-js");
  if (marc === undefined || buf === undefined || js === undefined) return undefined;
  const other = await loadLibrary("@marcbachmann/cel-js/evaluator");
  const { strings } = await loadLibrary("@bufbuild/cel/ext");
  const { durationFromMs, timestampFromMs } = await loadLibrary("@bufbuild/protobuf/wkt");
  const options = { unlistedVariablesAreDyn: true, enableOptionalTypes: true, homogeneousAggregateLiterals: false };
  return [
    {
      name: "plimsoll",
      run: (text, data, container) => {
        const variables = Object.fromEntries(Object.keys(data).map((name) => [name, "dyn"]));
        const env = environment({ libraries: everyLibrary, variables, container, crossTypeComparisons: true });
        const { program, errors } = compile(text, env, { check: false });
        if (program === undefined) throw new Error(errors[0].message);
        return program.run(data);
      },
      convert: converter({
        uint: (value) => new Uint(value),
        map: (entries) => new Map(entries),
        time: (seconds, nanos) => new Timestamp(seconds, nanos),
        duration: (nanoseconds) => new Duration(nanoseconds),
      }),
    },
    {
      name: "@marcbachmann/cel-js",
      run: (text, data) => new marc.Environment(options).evaluate(text, data),
      convert: converter({
        uint: (value) => new other.UnsignedInt(value),
        map: (entries) => new Map(entries),
        duration: (nanoseconds) => new other.Duration(...secondsAndNanos(nanoseconds)),
      }),
    },
    {
      name: "@bufbuild/cel",
      run: (text, data, namespace) => {
        const result = buf.run(text, data, { funcs: strings, ...(namespace !== "" && { namespace }) });
        if (buf.isCelError(result)) throw result;
        return result;
      },
      convert: converter({
        uint: buf.celUint,
        map: (entries) => new Map(entries),
        time: (seconds, nanos) => Object.assign(timestampFromMs(0), { seconds: BigInt(seconds), nanos }),
        duration: (nanoseconds) => {
          const [seconds, nanos] = secondsAndNanos(nanoseconds);
          return Object.assign(durationFromMs(0), { seconds, nanos });
        },
      }),
    },
    {
      name: "cel-js",
      run: (text, data) => js.evaluate(text, data),
      convert: converter({ int: Number, uint: Number, map: Object.fromEntries }),
    },
  ];
}

function secondsAndNanos(nanoseconds) {
  return [nanoseconds / 1_000_000_000n, Number(nanoseconds % 1_000_000_000n)];
}

function converter({
  int = (value) => value,
  uint,
  map,
  time = (seconds, nanos) => new Date(seconds * 1000 + nanos / 1_000_000),
  duration = (nanoseconds) => nanoseconds,
}) {
  const convert = ({ kind, value }) => {
    switch (kind) {
      case "int":
        return int(value);
      case "uint":
        return uint(value);
      case "time":
        return time(...value);
      case "duration":
        return duration(value);
      case "list":
        return value.map(convert);
      case "map":
        return map(value.map(([key, content]) => [convert(key), convert(content)]));
      default:
        return value;
    }
  };
  return convert;
}

function writtenTag({ kind, value }) {
  switch (kind) {
    case "list":
      return `[${value.map(writtenTag).join()}]`;
    case "map":
      return writtenMap(value.map(([key, content]) => [writtenTag(key), writtenTag(content)]));
    case "optional":
      return value === undefined ? "none" : writtenTag(value);
    case "time":
      return `time ${value[0] + value[1] / 1e9}`;
    case "duration":
      return `duration ${Number(value) / 1e9}`;
    case "type":
      return `type ${value}`;
    default:
      return written(value);
  }
}

function writtenMap(entries) {
  return `{${entries
    .map((entry) => entry.join(":"))
    .sort()
    .join()}}`;
}

/** A value of any library as text. */
function written(value) {
  if (value === undefined) return "none";
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number" || typeof value === "bigint") return String(Number(value) + 0);
  if (value instanceof Uint8Array) return `bytes ${Array.from(value).join()}`;
  if (value instanceof Date) return `time ${value.getTime() / 1000}`;
  if (value instanceof Map) return writtenMap([...value].map((entry) => entry.map(written)));
  if (typeof value.hasValue === "function") return value.hasValue() ? written(value.value()) : "none";
  if (typeof value.nanoseconds === "bigint") return `duration ${Number(value.nanoseconds) / 1e9}`;
  const isType = value.kind !== undefined || ["Type", "TypeValue"].includes(value.constructor?.name);
  if (isType && typeof value.name === "string") return `type ${value.name}`;
  const { message = value, desc } = value;
  const type = desc?.typeName ?? value.$typeName ?? value.constructor?.name;
  if (type === "google.protobuf.Timestamp" || type === "Timestamp")
    return `time ${Number(message.seconds) + message.nanos / 1e9}`;
  if (type === "google.protobuf.Duration" || type === "Duration")
    return `duration ${Number(message.seconds) + message.nanos / 1e9}`;
  if (type === "Uint" || type === "UnsignedInt") return written(BigInt(value.value ?? value.valueOf()));
  if (
    typeof value.entries === "function" &&
    typeof value.get === "function" &&
    !Array.isArray(value) &&
    value.size !== undefined &&
    typeof value.has === "function"
  )
    return writtenMap([...value.entries()].map((entry) => entry.map(written)));
  if (typeof value[Symbol.iterator] === "function") return `[${Array.from(value, written).join()}]`;
  return writtenMap(Object.entries(value).map((entry) => entry.map(written)));
}
