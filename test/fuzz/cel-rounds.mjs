// What does a call of every function cost the machine, on large values and over and over, until a limit stops it?
// Runs as a worker of cel-work.mjs: reports each round before and after it ran.
import { parentPort, workerData } from "node:worker_threads";
import { compile } from "../../dist/modules/cel/compile.js";
import { environment } from "../../dist/modules/cel/environment.js";
import { everyLibrary } from "../../dist/modules/cel/library/every-library.js";
import { DYN } from "../../dist/modules/cel/type.js";
import { anything, valuesFor } from "./cel-values.mjs";
import { generator } from "./generator.mjs";

/** The parts of an expression that are no calls. */
const FORMS = [
  "v0 < v1",
  "v0 <= v1",
  "v0 > v1",
  "v0 >= v1",
  "v0 + v1",
  "v0 in v1",
  "v0 in {v1: 1}",
  "{v0: 1, v1: 2}",
  "[v0].exists(x, x < v1)",
  "v0.exists(k, true)",
  "v0.map(k, k)",
  "v0.transformList(k, v, k)",
  "v0.transformMap(k, v, v)",
  "google.protobuf.Struct{fields: v0}",
  "v0 == v1",
  "v0 != {}",
  "v0 == 1",
  "v0 == 'x'",
  "v0 != 'aaaaaaaaaaaaaaaaaaaaaaaab'",
  "v0.exists(x, x == v1)",
  "v0.exists(k, v, k == v1 || v == v1)",
  "v0.transformMapEntry(k, v, v1)",
  "v0.filter(x, false)",
  "v0[v1]",
  "v0[?v1]",
  "v0.a",
  "has(v0.a)",
  "(v0 ? 1 : 2)",
  "{v0: 1}",
  "v0 && v1",
  "v0.optMap(x, x)",
  "[v0, v1] == [v1, v0]",
  "optional.of(v0) == optional.of(v1)",
  "'a'.matches('(?i)[^\\\\pL]' + string(i))",
  "'a'.find('[^\\\\pL\\\\pN\\\\pZ]' + string(i))",
  "matches(string(i), v0)",
  "'a'.matches(r'(?i)[\\x{100}-\\x{10ffff}]' + string(i))",
  "timestamp('2024-07-01T00:00:00Z').getHours('Zone/' + string(i))",
  "[v0].map(x, x) == [v1].map(x, x)",
  "json.encode([v0, v1])",
  "'%s'.format([v0])",
];

/** The call as it is written, with variables v0, v1, … */
function callOf({ name, member, parameters }) {
  const names = parameters.map((_, index) => `v${index}`);
  const [operator] = /^_(.+)_$/.exec(name)?.slice(1) ?? [];
  if (name === "_[_]") return "v0[v1]";
  if (name === "_[?_]") return "v0[?v1]";
  if (name === "_?_:_") return "v0 ? v1 : v2";
  if (name === "@in") return "v0 in v1";
  if (name === "!_" || name === "-_") return `${name[0]}v0`;
  if (operator !== undefined) return `v0 ${operator} v1`;
  return member ? `v0.${name}(${names.slice(1).join(", ")})` : `${name}(${names.join(", ")})`;
}

const overloads = everyLibrary
  .flatMap((library) => library.functions ?? [])
  .filter(({ name, parameters }) => parameters.length > 0 && (!name.includes("@") || name === "@in"));

const COSTS = ["cel", "kubernetes", "api-server"];

/** The overload's types, with dyn for type parameters. */
function declared(type) {
  switch (type.kind) {
    case "parameter":
      return DYN;
    case "list":
      return { kind: "list", element: declared(type.element) };
    case "map":
      return { kind: "map", key: declared(type.key), value: declared(type.value) };
    case "opaque":
      return { ...type, of: type.of.map(declared) };
    default:
      return type;
  }
}

/** The expression and the variables of a round. */
function roundOf(number, pick) {
  const one = (values) => values[pick(values.length)];
  const costs = one(COSTS);
  const numbers = one(["int", "double"]);
  if (number % 4 === 0) {
    const call = one(FORMS);
    const values = [one(anything), one(anything)];
    return { call, types: values.map(() => DYN), values, costs, numbers };
  }
  const overload = one(overloads);
  const typed = pick(2) === 0;
  const types = overload.parameters.map((type) => (typed ? declared(type) : DYN));
  const values = overload.parameters.map((type) => one(pick(8) === 0 ? anything : valuesFor(type)));
  return { call: callOf(overload), types, values, costs, numbers };
}

function kindOf(value) {
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (typeof value === "string") return value.length > 40 ? `text of ${value.length}` : JSON.stringify(value);
  return typeof value === "object" && value !== null ? value.constructor.name : String(value);
}

for (let number = workerData.first; ; number++) {
  const { call, types, values, costs, numbers } = roundOf(number, generator(workerData.seed * 1_000_003 + number));
  const variables = Object.fromEntries(types.map((type, index) => [`v${index}`, type]));
  const env = environment({ libraries: everyLibrary, variables, costs, numbers, checkLiterals: false });
  const text = `lists.range(90000).all(i, type(${call}) == int || true)`;
  const { program } = compile(text, env);
  const label = `${text} on ${values.map(kindOf).join(", ")} at the costs of ${costs}, numbers as ${numbers}s`;
  parentPort.postMessage({ number, label });
  const before = process.cpuUsage();
  program?.evaluate(Object.fromEntries(values.map((value, index) => [`v${index}`, value])));
  const { user, system } = process.cpuUsage(before);
  parentPort.postMessage({ number, label, seconds: (user + system) / 1e6 });
}
