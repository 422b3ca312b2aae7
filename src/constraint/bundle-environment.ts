// Which variables and functions does a CEL rule about a bundle have, and which program is it?

import { type Compilation, compile } from "../cel/compile.ts";
import { type Environment, environment } from "../cel/environment.ts";
import { optionalsLibrary } from "../cel/library/extension/optionals.ts";
import { stringsLibrary } from "../cel/library/extension/strings.ts";
import { kubernetesLibraries } from "../cel/library/kubernetes-libraries.ts";
import { standardLibrary } from "../cel/library/standard/standard.ts";
import { globalFunction, type Library } from "../cel/library.ts";
import type { Bindings } from "../cel/plan/frame.ts";
import { BOOL, DYN, INT, listOf, mapOf, type Shape, STRING, shaped } from "../cel/type.ts";
import { describeValue } from "../cel/value/describe.ts";
import { isNumber } from "../cel/value/number.ts";
import { CelError, type Result, type Value } from "../cel/value/value.ts";
import type { Property } from "../model/catalog.ts";
import { getOrAdd } from "../model/grouped.ts";
import { parseTolerant } from "../semver/tolerant.ts";
import { compareVersions, type Version } from "../semver/version.ts";

const PROPERTIES_SHAPE: Shape = {
  name: "properties",
  elements: {
    name: "a property",
    fields: new Map([
      ["type", { name: "type" }],
      ["value", { name: "value" }],
    ]),
  },
};

const PROPERTIES = shaped(listOf(mapOf(STRING, DYN)), PROPERTIES_SHAPE);

/** The version that a value states when it is a string: `5` is 5.0.0. */
function versionOf(value: Value): Version | CelError {
  const text = typeof value === "string" || isNumber(value) ? String(value) : undefined;
  const version = text === undefined ? undefined : parseTolerant(text);
  if (version === undefined) return new CelError(() => `semver_compare: ${describeValue(value)} is not a version`);
  return typeof version === "string" ? new CelError(`semver_compare: ${version}`) : version;
}

function semverCompare(left: Value, right: Value): Result {
  const a = versionOf(left);
  if (a instanceof CelError) return a;
  const b = versionOf(right);
  return b instanceof CelError ? b : Math.sign(compareVersions(a, b));
}

/** OLM's own function: compares two versions, parsed tolerantly. */
export const olmLibrary: Library = {
  name: "olm",
  functions: [globalFunction("semver_compare", "semver_compare", [DYN, DYN], INT, semverCompare)],
};

/** The options of bundle rules. */
export interface BundleRuleOptions {
  /** Only what OLM has: the standard library and `semver_compare`. */
  readonly compat?: boolean;
}

function make(libraries: readonly Library[]): Environment {
  // OLM converts JSON into Go values, in which every number is a double.
  return environment({
    data: "json",
    libraries: [...libraries, olmLibrary],
    variables: { properties: PROPERTIES },
    numbers: "double",
  });
}

let ours: Environment | undefined;
let compatible: Environment | undefined;

/** The environment of rules about bundles: one variable, `properties`. Created on first use. */
export function bundleEnvironment({ compat = false }: BundleRuleOptions = {}): Environment {
  if (compat) {
    compatible ??= make([standardLibrary]);
    return compatible;
  }
  ours ??= make([standardLibrary, optionalsLibrary, stringsLibrary, ...kubernetesLibraries]);
  return ours;
}

/** Compiles a rule. Its static type must be bool. */
export function bundleRule(text: string, options: BundleRuleOptions = {}): Compilation {
  return compile(text, bundleEnvironment(options), { result: { type: BOOL, dynAllowed: false } });
}

/** The bindings of a rule: the properties as they are, those with broken values as empty maps. */
export function bundleBindings(properties: readonly Property[]): Bindings {
  return {
    properties: properties.every(isWhole)
      ? properties
      : properties.map((property) => (isWhole(property) ? property : {})),
  };
}

function isWhole(property: Property): boolean {
  return property.value !== undefined;
}

/** How rules are compiled, and the cost limit of one evaluation. */
export interface RuleOptions {
  readonly compat: boolean;
  readonly celCostLimit: number;
}

/** The compiled rules, by their text: each is compiled once, however many bundles have it. */
export class RulePrograms {
  readonly #options: RuleOptions;
  readonly #compiled = new Map<string, Compilation>();
  #size = 0;

  constructor(options: RuleOptions) {
    this.#options = options;
  }

  /** The length of all rules, in characters. */
  get size(): number {
    return this.#size;
  }

  /** The rule as a program, or its errors. */
  of(rule: string): Compilation {
    return getOrAdd(this.#compiled, rule, () => {
      const { compat, celCostLimit } = this.#options;
      this.#size += rule.length;
      const compilation = bundleRule(rule, { compat });
      compilation.program?.limit({ cost: celCostLimit });
      return compilation;
    });
  }
}
