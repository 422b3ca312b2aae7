// Plans written by hand, for tests of how they look.

import fc from "fast-check";
import type { Catalog } from "../../src/model/catalog.ts";
import type { OperatorRef } from "../../src/model/operator-ref.ts";
import type { Action, Breach, Generation, OperatorChange, Plan, Step } from "../../src/plan/plan.ts";
import type { ShownPlans } from "../../src/render/plan/shown.ts";
import { PLAIN, PROBLEM, shown } from "../resolve/sample-resolution.ts";

const CATALOG = PROBLEM.catalogs[0] as Catalog;

/** An operator that runs, of "PACKAGE VERSION". */
export function runs(text: string, more: Partial<OperatorRef> = {}): OperatorRef {
  const [owner = "", version = ""] = text.split(" ");
  return { namespace: "bridge", name: `${owner}.v${version}`, package: owner, version, ...more };
}

/** A change from one "PACKAGE VERSION" to another; either may be missing. */
export function change(
  from: string | undefined,
  to: string | undefined,
  more: Partial<OperatorChange> = {},
): OperatorChange {
  const [owner = "", version = ""] = (to ?? from ?? "").split(" ");
  const bundle = { package: owner, name: `${owner}.v${version}`, version };
  return {
    package: owner,
    ...(from !== undefined && { from: runs(from) }),
    alsoFrom: [],
    ...(to !== undefined && { to: { ...bundle, catalog: { name: CATALOG.name }, channel: "stable" } }),
    requiredBy: [],
    reason: { kind: "along" },
    ...more,
  };
}

/** A step of changes. */
export function step(changes: readonly OperatorChange[], more: Partial<Step> = {}): Step {
  return { changes, because: [], migrations: [], actions: [], ...more };
}

/** A thing to be done. */
export function action(verb: Action["verb"], detail: Action["detail"], more: Partial<Action> = {}): Action {
  const about = { kind: "CustomResourceDefinition", name: "winches.example.com" };
  return { verb, ...about, bundle: "winch.v2.0.0", detail, ...more };
}

/** The steps of an operator through some versions, one a generation, from the given generation on. */
export function run(owner: string, versions: readonly string[], first = 1): ReadonlyMap<number, Step> {
  const steps = versions
    .slice(1)
    .map((version, index) => step([change(`${owner} ${versions[index]}`, `${owner} ${version}`)]));
  return new Map(steps.map((one, index) => [first + index, one]));
}

/** Generations of steps by number; several steps of a generation are taken in the order given. */
export function generationsOf(...parts: readonly ReadonlyMap<number, Step>[]): readonly Generation[] {
  const last = Math.max(0, ...parts.flatMap((part) => [...part.keys()]));
  return Array.from({ length: last }, (_, index) => {
    const number = index + 1;
    return { number, steps: parts.flatMap((part) => part.get(number) ?? []) };
  });
}

/** By default, a plan that does nothing. */
export function plan(generations: readonly Generation[], more: Partial<Plan> = {}): Plan {
  return {
    namespace: "bridge",
    generations,
    end: "done",
    prune: false,
    last: { ...PLAIN, operators: [] },
    orphans: [],
    warnings: [],
    proven: true,
    before: [],
    after: [],
    gone: [],
    installPlans: 0,
    ...more,
  };
}

/** Versions 0.0.0, 0.1.0… as many as requested. */
export function versions(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `0.${index}.0`);
}

/** A joint step, what comes with it, a long run, a migration, a package that is renamed, and a removal. */
export const VOYAGE: Plan = plan(
  generationsOf(
    run("bilge-pump", versions(7)),
    run("weather-fax", ["1.2.0", "1.3.0", "1.4.0"]),
    new Map([
      [1, step([change(undefined, "lamp-oil 0.3.0", { requiredBy: [runs("lantern 2.0.0")] })])],
      [
        3,
        step([change("winch 1.3.0", "winch 2.0.0")], {
          migrations: migration(),
          actions: [action("update", { kind: "object" })],
        }),
      ],
      [4, step([change("oakum 1.9.0", "hull-caulk 2.0.0")])],
      [6, step([change("gaff 0.4.0", undefined, { reason: { kind: "orphan" } })])],
    ]),
    new Map([
      [
        1,
        step([change("chronometer 1.6.0", "chronometer 2.0.0"), change("sextant 1.6.0", "sextant 2.0.0")], {
          because: [
            { package: "chronometer", breach: requires("sextant.v1.6.0", "time") },
            { package: "sextant", breach: requires("chronometer.v1.6.0", "fix") },
          ],
        }),
      ],
      [2, step([change("chronometer 2.0.0", "chronometer 2.1.0")])],
      [3, step([change("chronometer 2.1.0", "chronometer 2.2.0")])],
    ]),
  ),
  {
    before: ["bilge-pump 0.0.0", "chronometer 1.6.0", "foghorn 1.0.0", "sextant 1.6.0"].map((one) => runs(one)),
  },
);

function migration(): readonly Action[] {
  return [
    action("rewrite", {
      kind: "stored-objects",
      allNamespaces: false,
      storage: "v1",
      removed: ["v1alpha1"],
      loss: [],
    }),
    action(
      "patch",
      { kind: "stored-versions", versions: ["v1"] },
      { manifest: { storedVersions: ["v1"] }, command: "kubectl patch crd winches.example.com" },
    ),
  ];
}

/** What is shown of some plans. */
export function shownPlans(plans: readonly Plan[], more: Partial<ShownPlans> = {}): ShownPlans {
  const { isList, warnings, at, command } = shown([]);
  return { plans, isList, warnings, at, command, ...more };
}

/** Texts that mean something in one form or another. */
export const ODD_TEXT: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...`<>&'"#;|[]{}()\\\n\r\t -\u0000\u001b\u202e\ud800\ufffe\uffff`),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((characters) => characters.join(""));

/** That an operator requires a package. */
export function requires(name: string, owner: string): Breach {
  const constraint = { kind: "package", name: owner, range: { text: ">=0.0.0", only: undefined } } as const;
  const [by = "", version = ""] = name.split(".v");
  const detail = { rule: "dependency", constraint, action: "require" } as const;
  return { kind: "rule", rule: { operator: { name, package: by, version }, detail } };
}
