// How are the CEL libraries from npm driven? Each has its own way to add functions and to report errors.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = fileURLToPath(new URL("../peers/npm/", import.meta.url));

const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));

/** The versions that are compared with. */
export const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);

const require = createRequire(`${folder}package.json`);

/** A module of the libraries; undefined when they cannot be installed. */
export async function loadLibrary(name) {
  if (!Object.keys(dependencies).every((name) => existsSync(`${folder}node_modules/${name}/package.json`))) {
    const args = ["install", "--no-package-lock", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"];
    const { status } = spawnSync("npm", args, {
      cwd: folder,
      stdio: ["ignore", 2, 2],
      shell: process.platform === "win32",
    });
    if (status !== 0) return undefined;
  }
  return import(pathToFileURL(require.resolve(name)).href);
}

/** The libraries, or undefined when they cannot be installed. */
export async function libraries() {
  const [marc, buf, js] = [
    await loadLibrary("@marcbachmann/cel-js"),
    await loadLibrary("@bufbuild/cel"),
    await loadLibrary("cel-js"),
  ];
  return marc === undefined ? undefined : [marcbachmann(marc), bufbuild(buf), celJs(js)];
}

/** What `scores()` finds: set before every evaluation, because no library hands the variables to a function. */
let currentScores;

/** A version as three numbers, which is all that the expressions need. */
class Version {
  constructor(text) {
    [this.major, this.minor, this.patch] = text.split(".").map(Number);
  }
  isGreaterThan(other) {
    return this.major - other.major || this.minor - other.minor || this.patch - other.patch;
  }
}

const asGreater = (left, right) => left.isGreaterThan(right) > 0;

/** Takes errors as exceptions. */
function throwing(evaluate) {
  return (object) => {
    currentScores = object.scores;
    try {
      return evaluate(object);
    } catch {
      return "error";
    }
  };
}

function marcbachmann({ Environment }) {
  const environment = new Environment()
    .registerVariable("properties", "list<map>")
    .registerVariable("managedCluster", "map")
    .registerType("Version", Version)
    .registerFunction("map.scores(string): list", (_cluster, name) => currentScores[name])
    .registerFunction("semver(string): Version", (text) => new Version(text))
    .registerFunction("Version.isGreaterThan(Version): bool", asGreater);
  return {
    name: "@marcbachmann/cel-js",
    object: withBigints,
    compile: ({ text }) => {
      const evaluate = environment.parse(text);
      if (!evaluate.check().valid) throw evaluate.check().error;
      const run = throwing(evaluate);
      return { run, answer: run };
    },
  };
}

function bufbuild({ celEnv, celFunc, celMethod, CelScalar, isCelError, listType, mapType, parse, plan }) {
  const map = mapType(CelScalar.STRING, CelScalar.DYN);
  const funcs = [
    celMethod("scores", map, [CelScalar.STRING], listType(CelScalar.DYN), (name) => currentScores[name]),
    // It has no types of one's own, so a version stays the text that it is written as.
    celFunc("semver", [CelScalar.STRING], CelScalar.STRING, (text) => text),
    celMethod("isGreaterThan", CelScalar.STRING, [CelScalar.STRING], CelScalar.BOOL, function (other) {
      return asGreater(new Version(String(this)), new Version(other));
    }),
  ];
  const environment = celEnv({ funcs });
  return {
    name: "@bufbuild/cel",
    object: withBigints,
    compile: ({ text }) => {
      const evaluate = plan(environment, parse(text));
      const run = (object) => {
        currentScores = object.scores;
        return evaluate(object);
      };
      const answer = (object) => {
        const result = run(object);
        return isCelError(result) ? "error" : result;
      };
      return { run, answer };
    },
  };
}

/** It has no member functions, so that two expressions are given to it differently; and no regular expressions. */
function celJs({ evaluate, parse }) {
  const functions = {
    scores: (_cluster, name) => currentScores[name],
    semver: (text) => new Version(text),
    isGreaterThan: asGreater,
  };
  return {
    name: "cel-js",
    object: (object) => object,
    compile: ({ text }) => {
      const adapted = text
        .replace(/managedCluster\.scores\(/, "scores(managedCluster, ")
        .replace(/^(semver.*)\.isGreaterThan\((.*)\)$/, "isGreaterThan($1, $2)");
      const { cst, errors } = parse(adapted);
      if (cst === undefined) throw new Error(errors.join("; "));
      const run = throwing((object) => evaluate(cst, object, functions));
      return { run, answer: run };
    },
  };
}

/** Integers as these libraries take them: bigints; numbers would be doubles. Prepared before anything is measured. */
function withBigints(object, ints) {
  return ints ? convert(object) : object;
}

function convert(value) {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value === "number") return BigInt(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, convert(inner)]));
}
