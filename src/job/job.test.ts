import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../test/cli/run-command.ts";
import { printPlace } from "../model/place.ts";
import { checkCrd } from "./check-crd.ts";
import { placesIn, withExactPlaces } from "./exact-places.ts";
import { explain } from "./explain.ts";
import { lint } from "./lint.ts";
import { place } from "./place.ts";
import { plan } from "./plan.ts";
import { type Answer, render } from "./render.ts";
import { resolve } from "./resolve.ts";
import { readCatalog, readObjects } from "./text-input.ts";
import { UsageError } from "./usage-error.ts";
import { compareVersions, inRange, satisfies } from "./versions.ts";

const HARBOUR = "examples/harbour";

function texts(folder: string): readonly { readonly source: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".yaml"))
    .sort()
    .map((path) => ({ source: `${folder}/${path}`, text: readFileSync(`${folder}/${path}`, "utf8") }));
}

/** The catalog of the example as one text. */
const CATALOG = texts(`${HARBOUR}/catalog`)
  .map(({ text }) => text)
  .join("\n---\n");
const catalogs = [readCatalog({ name: "harbour", text: CATALOG })];
const cluster = readObjects(texts(`${HARBOUR}/cluster`));
const EXTENSIONS = { source: "extensions.yaml", text: readFileSync("examples/guides/extensions.yaml", "utf8") };
const fleet = texts(`${HARBOUR}/fleet`);
const bridge = { catalogs, objects: cluster, namespace: "bridge", kubeVersion: "1.31.4" };
const NOW = "2026-11-02T12:00:00Z";

test("ClusterExtensions are resolved beside the operators of all namespaces, or as OLM v1 does", () => {
  const objects = [...texts(`${HARBOUR}/cluster`), EXTENSIONS];
  const question = { catalogs, objects, scope: "cluster", kubeVersion: "1.31.4" } as const;
  const answer = resolve(question);
  expect(answer.resolutions.map(({ namespace, outcome }) => [namespace, outcome])).toEqual([["", "Resolved"]]);
  expect(JSON.parse(render(answer, { format: "json" }))).toMatchObject({ scope: "cluster", namespace: null });
  const { resolutions } = resolve({ ...question, options: { olmv1: true } });
  expect(resolutions.flatMap(({ unsatisfied }) => unsatisfied.map(({ request }) => request.id))).toEqual(["sextant"]);
  expect(explain({ ...question, subject: "lantern" }).explanation.verdict).toBe("chosen");
  const planned = plan(question);
  expect(planned.plans.map(({ namespace, end }) => [namespace, end])).toEqual([["", "done"]]);
  expect(JSON.parse(render(planned, { format: "json" }))).toMatchObject({ scope: "cluster", namespace: null });
  expect(plan({ catalogs, objects, allNamespaces: true }).plans.at(-1)?.namespace).toBe("");
});

function crd(maximum: number | undefined): object {
  const load = { type: "integer", ...(maximum !== undefined && { maximum }) };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "winches.harbour.example.com" },
    spec: {
      group: "harbour.example.com",
      scope: "Namespaced",
      names: { plural: "winches", singular: "winch", kind: "Winch", listKind: "WinchList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { load } } },
        },
      ],
    },
  };
}

const ANSWERS: readonly (readonly [string, () => Answer])[] = [
  ["resolve", () => resolve(bridge)],
  ["resolve, refused", () => resolve({ catalogs, packages: ["shore-watch", "drone-scout"] })],
  ["resolve, everywhere", () => resolve({ catalogs, objects: cluster, allNamespaces: true })],
  ["explain", () => explain({ ...bridge, subject: "foghorn", whoNeeds: true })],
  ["plan", () => plan(bridge)],
  ["plan to a version", () => plan({ ...bridge, to: "sextant" })],
  ["place", () => place({ objects: fleet, now: NOW })],
  ["place, one cluster", () => place({ objects: fleet, now: NOW, placements: ["cloud-europe"], cluster: "lisbon" })],
  ["checkCrd", () => checkCrd({ old: [crd(undefined)], new: [crd(10)] })],
  ["lint", () => lint({ catalogs: [{ name: "mine", text: "schema: olm.chanel\nname: stable\n" }] })],
];

describe.each(ANSWERS)("%s", (_, ask) => {
  test("the answer is plain data", () => {
    const answer = ask();
    expect(structuredClone(answer)).toStrictEqual(answer);
    const copy = JSON.parse(JSON.stringify(answer));
    expect(render(copy, { width: 100 })).toBe(render(answer, { width: 100 }));
  });

  test("the same question has the same answer, byte by byte", () => {
    expect(JSON.stringify(ask())).toBe(JSON.stringify(ask()));
  });
});

/** What the command prints; commands of fixes are its own business. */
function printed(line: string): string {
  return runCommand(line.split(" "), ".").out;
}

describe("the library answers as the command", () => {
  const catalog = `--catalog harbour=${HARBOUR}/catalog`;

  test("resolve", () => {
    const answer = resolve({ catalogs, packages: ["freight-desk"] });
    // The command prints findings to standard error.
    expect(render({ ...answer, findings: [] })).toBe(printed(`resolve ${catalog} freight-desk`));
    expect(render(answer, { format: "tree" })).toBe(printed(`resolve ${catalog} freight-desk -o tree`));
  });

  test("resolve in JSON, but for places and commands", () => {
    const own = JSON.parse(render(resolve(bridge), { format: "json" }));
    const theirs = JSON.parse(
      printed(`resolve ${catalog} -f ${HARBOUR}/cluster -n bridge --kube-version 1.31.4 -o json`),
    );
    expect(own.operators).toEqual(theirs.operators);
    expect(own.heldBack.map(({ name }: { name: string }) => name)).toEqual(
      theirs.heldBack.map(({ name }: { name: string }) => name),
    );
    expect(own.outcome).toBe(theirs.outcome);
  });

  test("plan", () => {
    const theirs = printed(`plan ${catalog} -f ${HARBOUR}/cluster -n bridge --kube-version 1.31.4 -o name`);
    expect(render(plan(bridge), { format: "name" })).toBe(theirs);
  });

  test("place", () => {
    const theirs = printed(`place -f ${HARBOUR}/fleet --now ${NOW} cloud-europe -o json`);
    const answer = place({ objects: fleet, now: new Date(NOW), placements: ["cloud-europe"] });
    // The library has the exact places of taints, too.
    const withoutPlaces = (text: string): string => text.replace(/"at":"[^"]*"/g, "");
    expect(withoutPlaces(render(answer, { format: "json" }))).toBe(withoutPlaces(theirs));
    const text = printed(`place -f ${HARBOUR}/fleet --now ${NOW} cloud-europe`);
    expect(render({ ...answer, findings: [] })).toBe(text);
  });
});

test("places of texts are exact", () => {
  const answer = resolve({
    catalogs: [{ name: "mine", source: "mine.yaml", text: "schema: olm.package\nname: a\ndefaultChanel: b\n" }],
    packages: ["a"],
  });
  const finding = answer.findings.find(({ code }) => code === "PL010");
  expect(finding?.place).toMatchObject({ source: "mine.yaml", line: 3, column: 1 });
  expect(finding?.position?.excerpt).toBe("defaultChanel: b");
});

test("places of values are written as in a program", () => {
  const documents = [{ schema: "olm.package", name: "a" }, { schema: "olm.chanel" }];
  const { findings } = lint({ catalogs: [{ name: "mine", documents }], objects: [{ ...PLACEMENT, spec: { a: 1 } }] });
  expect(findings.map(({ place }) => printPlace(place))).toEqual(
    expect.arrayContaining(["mine[1].schema", "objects[0].spec.a"]),
  );
});

describe("objects that were read before", () => {
  const broken = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: my-rules, namespace: ops}\ndata: [\n";
  const question = {
    catalogs,
    packages: ["freight-desk"],
    runtimeConstraintsConfigMap: { namespace: "ops", name: "my-rules" },
  };

  test("fail closed as text does, if a ConfigMap of runtime constraints cannot be read", () => {
    const asText = resolve({ ...question, objects: broken });
    expect(asText.resolutions[0]?.outcome).toBe("Undecided");
    const objects = readObjects(broken, { names: ["my-rules"] });
    expect(resolve({ ...question, objects }).resolutions[0]?.outcome).toBe("Undecided");
  });

  test("must have been searched for its name", () => {
    expect(() => resolve({ ...question, objects: readObjects(broken) })).toThrow('read them with names: ["my-rules"]');
  });
});

test("a target alone is requested, whatever objects are given without requests", () => {
  for (const objects of [undefined, [], readObjects([])])
    expect(plan({ catalogs, objects, to: "lading" }).plans[0]?.end).toBe("done");
});

test("a property may be given several times, a version of the cluster not", () => {
  const label = { type: "cluster.label", value: "a" };
  expect(resolve({ ...bridge, properties: [label, label] }).resolutions).toHaveLength(1);
  expect(() => resolve({ ...bridge, properties: [{ type: "kubernetes.version", value: "1.30" }] })).toThrow(
    "given twice",
  );
});

test("explain warns of a namespace that may be misspelt", () => {
  const { warnings } = explain({ catalogs, objects: cluster, namespace: "brigde", subject: "foghorn" });
  expect(warnings).toContainEqual(expect.objectContaining({ code: "empty-namespace", meant: "bridge" }));
});

test("data of the input that looks like a place stays as it is", () => {
  const weird = { source: "mine", line: 1, column: 1, keep: "me" };
  const answer = {
    kind: "plan",
    plans: [{ manifest: { place: weird } }, { place: { source: "a", line: 2, column: 1 } }],
  };
  expect(placesIn(answer)).toEqual([{ source: "a", line: 2, column: 1 }]);
  const positions = new Map(placesIn(answer).map((place) => [place, { line: 9, column: 9, excerpt: "", caret: 0 }]));
  const exact = withExactPlaces(answer, { positions, placeOfValue: (place) => (place === weird ? place : undefined) });
  expect(exact.plans[0]).toEqual(answer.plans[0]);
  expect(exact.plans[1]?.place).toMatchObject({ line: 9, column: 9, exact: true });
});

test("a place is looked for in its own document only", () => {
  const text = "{schema: olm.chanel, name: a}\n---\n{schema: olm.chanel, name: b}\n---\nc: [\n";
  const { findings } = lint({ catalogs: [{ name: "mine", text }] });
  const places = findings.filter(({ code }) => code === "PL008").map(({ place }) => printPlace(place));
  expect(places).toEqual(["mine:1:10", "mine:3:10"]);
});

test("clusters in no eligible set are named", () => {
  const answer = place({ objects: fleet, now: NOW, placements: ["cloud-europe"] });
  const [placed] = answer.placements;
  const names = new Set([...(placed?.clusters.map(({ name }) => name) ?? []), ...(placed?.outside ?? [])]);
  expect(placed?.outside.length).toBeGreaterThan(0);
  expect(names.size).toBe(readObjects(fleet).objects.managedClusters.length);
});

test("what is wrong with the input is printed with the answer", () => {
  const answer = resolve({ catalogs: [{ name: "mine", text: "a: [\nb" }], packages: ["a"] });
  expect(render(answer)).toContain("error[PL003]");
});

test("documents and objects may be values", () => {
  const documents = [{ schema: "olm.package", name: "a", defaultChannel: "b" }];
  const { findings } = lint({ catalogs: [{ name: "mine", documents }], objects: [{ kind: "Subscription" }] });
  expect(findings.map(({ place }) => place.source)).toContain("objects[0]");
});

const PLACEMENT = {
  apiVersion: "cluster.open-cluster-management.io/v1beta1",
  kind: "Placement",
  metadata: { name: "a" },
};

describe("objects of a changed definition", () => {
  const winch = (kind: string) => ({ apiVersion: "harbour.example.com/v1", kind, metadata: { name: "a" }, load: 12 });
  const check = (objects: Parameters<typeof checkCrd>[0]["objects"]) =>
    checkCrd({ old: [crd(undefined)], new: [crd(10)], objects });

  test("each is checked, also if it was read before", () => {
    for (const objects of [[winch("Winch")], readObjects([winch("Winch")])])
      expect(check(objects).problems.map(({ code }) => code)).toContain("CRD301");
  });

  test("those of other kinds do not make a change safe", () => {
    for (const objects of [[winch("Wnich")], readObjects([winch("Wnich")])]) {
      const answer = check(objects);
      expect(answer.verdict).toBe("unsafe");
      expect(answer.withoutEffect).toMatchObject([{ kind: "no-objects", of: "Winch" }]);
      expect(render(answer)).toContain("has no Winch of harbour.example.com");
    }
  });

  test("none at all do", () => {
    expect(check([]).verdict).toBe("safe");
  });
});

describe("a question that cannot be asked", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  test.each<[string, () => unknown]>([
    // @ts-expect-error misspelt
    ['resolve: unknown option "pakages"; did you mean "packages"?', () => resolve({ catalogs, pakages: ["a"] })],
    [
      'options: unknown option "compatt"; did you mean "compat"?',
      // @ts-expect-error misspelt
      () => resolve({ catalogs, options: { compatt: true } }),
    ],
    ["nothing is requested; name packages, or give objects with Subscriptions", () => resolve({ catalogs })],
    // @ts-expect-error no list
    ["catalogs must be a list, but is an object", () => resolve({ catalogs: {} })],
    // @ts-expect-error no list
    ["packages must be a list, but is a string", () => resolve({ catalogs, packages: "etcd" })],
    ["kubeVersion: ", () => resolve({ catalogs, packages: ["a"], kubeVersion: "one" })],
    [
      "property olm.constraint: this is a constraint",
      () => resolve({ ...bridge, properties: [{ type: "olm.constraint", value: {} }] }),
    ],
    ["several namespaces", () => resolve({ catalogs, objects: cluster })],
    [
      "and ClusterExtensions; choose",
      () => resolve({ catalogs, objects: [...texts(`${HARBOUR}/cluster`), EXTENSIONS] }),
    ],
    ["namespace is empty", () => resolve({ ...bridge, namespace: "" })],
    ["scope and namespace cannot be combined", () => resolve({ ...bridge, scope: "cluster" })],
    ["scope and allNamespaces cannot be combined", () => resolve({ catalogs, allNamespaces: true, scope: "cluster" })],
    ["options.olmv1 is for resolve", () => plan({ catalogs, packages: ["lantern"], options: { olmv1: true } })],
    ["options.olmv1 is for resolve", () => explain({ catalogs, subject: "lantern", options: { olmv1: true } })],
    ["allNamespaces needs Subscriptions", () => resolve({ catalogs, allNamespaces: true })],
    ["objects[0] is not JSON", () => resolve({ catalogs, objects: [cyclic], packages: ["a"] })],
    ["catalog mine has neither text nor documents", () => resolve({ catalogs: [{ name: "mine" }], packages: ["a"] })],
    ["freight-deks", () => explain({ catalogs, subject: "freight-deks" })],
    ["to: ", () => plan({ ...bridge, to: "sextnat" })],
    ["to plans for one namespace", () => plan({ catalogs, objects: cluster, allNamespaces: true, to: "sextant" })],
    ['not "today"', () => place({ objects: fleet, now: "today" })],
    ["not an invalid Date", () => place({ objects: fleet, now: new Date(Number.NaN) })],
    ["cloud-eurpe", () => place({ objects: fleet, now: NOW, placements: ["cloud-eurpe"] })],
    ["maxRemoved", () => place({ objects: fleet, now: NOW, against: fleet, maxRemoved: "many" })],
    ["against has no object", () => place({ objects: fleet, now: NOW, against: [] })],
    ["old has no CustomResourceDefinition", () => checkCrd({ old: [], new: [crd(1)] })],
    [
      'severities: unknown option "CRD999"',
      // @ts-expect-error unknown
      () => checkCrd({ old: [crd(1)], new: [crd(1)], severities: { CRD999: "off" } }),
    ],
    // @ts-expect-error unknown
    ['unknown format "txt"', () => render(lint({}), { format: "txt" })],
    ["version: ", () => compareVersions("1", "x")],
    // @ts-expect-error a path
    ["load of plimsoll/node reads paths", () => resolve({ catalogs: ["harbour=path"], packages: ["a"] })],
    // @ts-expect-error nothing
    ["resolve takes an object with the keys catalogs", () => resolve()],
    // @ts-expect-error no answer
    ["render takes an answer", () => render({})],
    ["has text and documents", () => readCatalog({ name: "a", text: "", documents: [] })],
    // @ts-expect-error a system
    ["options.compat must be a boolean, but is a string", () => resolve({ ...bridge, options: { compat: "olm" } })],
    // @ts-expect-error true
    ['actions is one of "short", "whole", not a boolean', () => plan({ ...bridge, actions: true })],
    ["objects[0] must be an object, but is a number", () => lint({ objects: [1] })],
    [
      'severities.CRD205 is one of "error"',
      // @ts-expect-error misspelt
      () => checkCrd({ old: [crd(1)], new: [crd(1)], severities: { CRD205: "non" } }),
    ],
    [
      "owners must be a positive whole number, but is 2x",
      // @ts-expect-error text
      () => checkCrd({ old: [crd(1)], new: [crd(1)], owners: "2x" }),
    ],
    [
      "options.maxConflicts must be a positive whole number, but is NaN",
      () => resolve({ ...bridge, options: { maxConflicts: Number.NaN } }),
    ],
    // @ts-expect-error a number
    ["stop must be a function, but is a number", () => resolve({ ...bridge, stop: 5 })],
    ["two catalogs are called", () => resolve({ ...bridge, catalogs: [...catalogs, ...catalogs] })],
    ["maxRemoved needs against", () => place({ objects: fleet, now: NOW, maxRemoved: "5" })],
    [
      "cluster and against cannot be combined",
      () => place({ objects: fleet, now: NOW, against: fleet, cluster: "lisbon" }),
    ],
    // What is wrong with the input may be the reason.
    ["a [ or { is not closed", () => checkCrd({ old: "kind: [\n", new: [crd(1)] })],
    ["did you mean", () => place({ objects: [{ ...PLACEMENT, kind: "Placment" }], now: NOW })],
  ])("%s", (message, ask) => {
    expect(ask).toThrow(UsageError);
    expect(ask).toThrow(message);
  });
});

test("a what-if that drops every request is still a question", () => {
  const answer = resolve({ catalogs, packages: ["freight-desk"], drop: ["freight-desk"] });
  expect(answer.resolutions[0]?.operators).toEqual([]);
});

test("versions and ranges are OLM's", () => {
  expect(["1.10.0", "1.9.0", "1.10.0-rc.1"].sort(compareVersions)).toEqual(["1.9.0", "1.10.0-rc.1", "1.10.0"]);
  expect(inRange("1.10.0", ">=1.2.0 <2.0.0")).toBe(true);
  expect(satisfies("1.10.0", "^1.2")).toBe(true);
});

test("keys of Object.prototype are no options, and no packages", () => {
  expect(() => resolve(JSON.parse('{"catalogs": [], "__proto__": {"packages": ["a"]}}'))).toThrow(
    'unknown option "__proto__"',
  );
  expect(resolve({ catalogs, packages: ["constructor"] }).isResolved).toBe(false);
});
