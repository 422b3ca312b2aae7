import { describe, expect, test } from "vitest";
import { type Answers, discoveryOf, OLM, serverWith } from "../../test/answering-server.ts";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import { kindKey } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import type { Json } from "../model/json.ts";
import { printPlace } from "../model/place.ts";
import { NetFailure } from "../net/failure.ts";
import { type ClusterQuestion, type ReadCluster, readCluster, type Server } from "./read-cluster.ts";
import { servedProperties } from "./server-facts.ts";

const SUBSCRIPTION = {
  metadata: { name: "etcd", namespace: "here", managedFields: [{ manager: "kubectl" }] },
  spec: { name: "etcd", source: "c", sourceNamespace: "olm" },
};
const QUESTION: ClusterQuestion = {
  kinds: ["subscriptions", "installedOperators", "customResourceDefinitions"],
  wantsFacts: true,
};

async function read(
  answers: Answers,
  question: Partial<ClusterQuestion> = {},
): Promise<ReadCluster & { objects: ClusterObjects }> {
  const found = await readCluster(serverWith(answers), { ...QUESTION, ...question });
  const reader = new ObjectsReader(() => {});
  reader.addBelow(found.parts);
  return { ...found, objects: reader.finish() };
}

const path = (group: string, version: string, rest: string): string => `/apis/${group}/${version}/${rest}`;
const SUBSCRIPTIONS = path(OLM, "v1alpha1", "subscriptions");
const OPERATORS = path(OLM, "v1alpha1", "clusterserviceversions");
const DEFINITIONS = path("apiextensions.k8s.io", "v1", "customresourcedefinitions");
const CRD = {
  metadata: { name: "winches.example.com", managedFields: [{ manager: "kubectl" }] },
  spec: { group: "example.com", scope: "Namespaced", names: { kind: "Winch", plural: "winches" }, versions: [] },
  status: { storedVersions: ["v1"] },
};
const FORBIDDEN = new NetFailure("forbidden", "not allowed", { status: 403 });

test("objects get the type of their list and a place in the cluster, and lose the bookkeeping of the server", async () => {
  const { objects, findings, isIncomplete, count } = await read({
    [SUBSCRIPTIONS]: [SUBSCRIPTION],
    [DEFINITIONS]: [CRD],
  });
  expect(findings).toEqual([]);
  expect(isIncomplete).toBe(false);
  expect(count).toBe(2);
  expect(objects.subscriptions.map(({ place }) => printPlace(place))).toEqual(["cluster/here/Subscription/etcd"]);
  const [definition] = objects.customResourceDefinitions;
  expect(definition?.storedVersions).toEqual(["v1"]);
  expect(definition?.place.source).toBe("cluster/CustomResourceDefinition/winches.example.com");
  expect(definition?.object.kind).toBe("CustomResourceDefinition");
  expect(definition?.object.metadata).toEqual({ name: "winches.example.com" });
});

test("a kind that is not served is named, with its group, once", async () => {
  const { findings, isIncomplete } = await read({}, { kinds: ["managedClusters", "placements", "subscriptions"] });
  expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "PL015 the cluster does not serve ManagedCluster and Placement (cluster.open-cluster-management.io): the cluster is not a hub of Open Cluster Management, or not completely",
  ]);
  expect(isIncomplete).toBe(false);
});

test("of the versions that a server serves, a known one is read before the one that it prefers; without one, that", async () => {
  const serving = (...versions: readonly string[]): Answers => ({
    "/apis": discoveryOf({ [OLM]: versions.map((version) => [version, "Subscription", "subscriptions", true]) }),
    ...Object.fromEntries(versions.map((version) => [path(OLM, version, "subscriptions"), [SUBSCRIPTION]])),
  });
  const question: ClusterQuestion = { kinds: ["subscriptions"], wantsFacts: false };
  const askedOf = async (answers: Answers): Promise<readonly string[]> => {
    const server = serverWith(answers);
    await readCluster(server, question);
    return server.asked.filter((asked) => asked.endsWith("subscriptions"));
  };
  expect(await askedOf(serving("v2", "v1alpha1", "v1"))).toEqual([SUBSCRIPTIONS]);
  expect(await askedOf(serving("v2", "v3"))).toEqual([path(OLM, "v2", "subscriptions")]);
});

describe("a kind that cannot be read", () => {
  test("is named with what is unknown, and others are still read", async () => {
    const { objects, findings, isIncomplete } = await read({ [OPERATORS]: FORBIDDEN, [SUBSCRIPTIONS]: [SUBSCRIPTION] });
    expect(findings.map(({ code, message, help }) => [code, message, help])).toEqual([
      [
        "PL014",
        "reading ClusterServiceVersion objects is forbidden, so the installed operators are unknown, and the answer is as if there were none",
        "not allowed (the role that is needed: docs/live.md#rights)",
      ],
    ]);
    expect(isIncomplete).toBe(true);
    expect([...(objects.lost.kinds?.keys() ?? [])]).toEqual(["ClusterServiceVersion"]);
    expect(objects.subscriptions).toHaveLength(1);
  });

  test("is read in the namespace in question, if only that is allowed", async () => {
    const inside = path(OLM, "v1alpha1", "namespaces/here/subscriptions");
    const { objects, findings, isIncomplete } = await read(
      { [SUBSCRIPTIONS]: FORBIDDEN, [inside]: [SUBSCRIPTION] },
      { namespace: "here" },
    );
    expect(objects.subscriptions).toHaveLength(1);
    expect(findings[0]?.message).toContain("reading Subscription objects outside the namespace here is forbidden");
    expect(objects.lost.kinds?.has("Subscription")).toBe(true);
    expect(isIncomplete).toBe(true);
  });

  test("for another reason than missing rights is not tried in the namespace in question", async () => {
    const server = serverWith({ [SUBSCRIPTIONS]: new NetFailure("server", "out of memory", { status: 500 }) });
    const { findings } = await readCluster(server, { ...QUESTION, namespace: "here" });
    expect(findings.map(({ message }) => message)).toEqual([
      "Subscription objects could not be read, so the requests of OLM v0 are unknown: out of memory",
    ]);
    expect(server.asked.filter((asked) => asked.includes("namespaces"))).toEqual([]);
  });

  test("because the server behind its group does not answer is unknown, not missing", async () => {
    const stale = {
      kind: "APIGroupDiscoveryList",
      items: [{ metadata: { name: OLM }, versions: [{ version: "v1alpha1", freshness: "Stale", resources: [] }] }],
    };
    const { objects, findings, isIncomplete } = await read({ "/apis": stale }, { kinds: ["subscriptions"] });
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      [
        "PL014",
        `Subscription objects could not be read, so the requests of OLM v0 are unknown: its API group ${OLM} is not available`,
      ],
    ]);
    expect(objects.lost.kinds?.has("Subscription")).toBe(true);
    expect(isIncomplete).toBe(true);
  });

  test("because its list always breaks off does not end the others, if the server is still there", async () => {
    const cut = new NetFailure("unreachable", "the connection was closed");
    const { objects, findings } = await read({ [OPERATORS]: cut, [SUBSCRIPTIONS]: [SUBSCRIPTION] });
    expect(findings.map(({ place }) => place.source)).toEqual(["cluster/ClusterServiceVersion"]);
    expect(objects.subscriptions).toHaveLength(1);
    expect(objects.lost.unseen).toBeUndefined();
  });

  test("because the server is gone ends the others, and what was read before is kept", async () => {
    const gone = new NetFailure("unreachable", "nothing listens");
    const server = serverWith({ [SUBSCRIPTIONS]: [SUBSCRIPTION], [OPERATORS]: gone });
    const get: Server["get"] = async (path, accept) => {
      if (server.asked.includes(OPERATORS)) throw gone;
      return server.get(path, accept);
    };
    const { parts, findings } = await readCluster({ ...server, get }, QUESTION);
    expect(findings.map(({ message, place }) => [message, place.source])).toEqual([["nothing listens", "cluster"]]);
    expect(parts.flatMap((part) => part.finish().subscriptions)).toHaveLength(1);
  });

  test.each(["unauthorized", "credentials", "certificate"] as const)(
    "%s ends the others: one message",
    async (kind) => {
      const failure = new NetFailure(kind, "log in again");
      const { findings, objects } = await read({
        [SUBSCRIPTIONS]: failure,
        [OPERATORS]: failure,
        [DEFINITIONS]: failure,
      });
      expect(findings.map(({ message, place }) => [message, place.source])).toEqual([["log in again", "cluster"]]);
      expect(objects.lost.unseen?.source).toBe("cluster");
    },
  );

  test("ends everything if no other read can succeed", async () => {
    const server = serverWith({ "/version": new NetFailure("unreachable", "nothing listens", { help: "start it" }) });
    const { findings, isIncomplete, parts } = await readCluster(server, QUESTION);
    expect(findings.map(({ message, help }) => [message, help])).toEqual([["nothing listens", "start it"]]);
    expect(isIncomplete).toBe(true);
    expect(server.asked).toEqual(["/version"]);
    expect(parts[0]?.finish().lost.unseen?.source).toBe("cluster");
  });
});

describe("the runtime constraints", () => {
  const configMap = { namespace: "olm", name: "olm-runtime-constraints" };
  const at = "/api/v1/namespaces/olm/configmaps/olm-runtime-constraints";

  test("are one object, read by its name", async () => {
    const given = { metadata: { name: configMap.name, namespace: "olm" }, data: { properties: "[]" } };
    const { objects, findings, texts } = await read({ [at]: given }, { configMap });
    expect([...texts.keys()]).toEqual(["cluster/olm/ConfigMap/olm-runtime-constraints"]);
    expect(objects.configMaps.map(({ place }) => place.source)).toEqual([
      "cluster/olm/ConfigMap/olm-runtime-constraints",
    ]);
    expect(findings).toEqual([]);
  });

  test("are not those of another object", async () => {
    const other = { metadata: { name: "other", namespace: "olm" }, data: { properties: "[]" } };
    const { objects, findings } = await read({ [at]: other }, { configMap });
    expect(objects.rejected.map(({ name }) => name)).toEqual(["olm-runtime-constraints"]);
    expect(findings[0]?.message).toContain('answers with "cluster/olm/ConfigMap/other"');
  });

  test("that do not exist are none", async () => {
    const { objects, findings } = await read({}, { configMap });
    expect([objects.configMaps, objects.rejected, findings]).toEqual([[], [], []]);
  });

  test("of a cluster that is not reached may exist", async () => {
    const { objects, findings } = await read({ "/version": new NetFailure("unreachable", "gone") }, { configMap });
    expect(objects.rejected.map(({ kind, namespace, name }) => [kind, namespace, name])).toEqual([
      ["ConfigMap", "olm", "olm-runtime-constraints"],
    ]);
    expect(findings).toHaveLength(1);
  });

  test("that cannot be read may exist", async () => {
    const { objects, findings, isIncomplete } = await read({ [at]: FORBIDDEN }, { configMap });
    expect(objects.rejected.map(({ kind, namespace, name }) => [kind, namespace, name])).toEqual([
      ["ConfigMap", "olm", "olm-runtime-constraints"],
    ]);
    expect(findings[0]?.message).toContain("--runtime-constraints FILE");
    expect(isIncomplete).toBe(true);
  });
});

describe("custom resources", () => {
  const winches = path("example.com", "v1", "winches");
  const instancesOf = (): ReadonlySet<string> => new Set([kindKey({ group: "example.com", kind: "Winch" })]);
  const winch = (name: string): Json => ({
    apiVersion: "example.com/v1",
    kind: "Winch",
    metadata: { name, namespace: "here" },
  });

  test("are read in the version that the server prefers, and their number is known even if it is 0", async () => {
    const some = await read({ [winches]: [winch("a")] }, { instancesOf });
    expect(some.objects.customResources.map(({ name, version }) => [name, version])).toEqual([["a", "v1"]]);
    const none = await read({}, { instancesOf });
    expect(none.objects.customResources).toEqual([]);
    expect([...(none.objects.wholeKinds ?? [])]).toEqual([...instancesOf()]);
    expect((await read({})).objects.wholeKinds).toBeUndefined();
  });

  test("that cannot be read are a warning, and unknown", async () => {
    const { objects, findings, isIncomplete } = await read({ [winches]: FORBIDDEN }, { instancesOf });
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([["PL016", "warning"]]);
    expect(isIncomplete).toBe(false);
    expect([objects.wholeKinds, objects.unreadKinds]).toEqual([undefined, instancesOf()]);
  });

  test("whose API group does not answer are a warning, and unknown", async () => {
    const stale = {
      kind: "APIGroupDiscoveryList",
      items: [
        {
          metadata: { name: "apiextensions.k8s.io" },
          versions: [
            {
              version: "v1",
              resources: [
                {
                  resource: "customresourcedefinitions",
                  responseKind: { kind: "CustomResourceDefinition" },
                  scope: "Cluster",
                  verbs: ["list"],
                },
              ],
            },
          ],
        },
        { metadata: { name: "example.com" }, versions: [{ version: "v1", freshness: "Stale", resources: [] }] },
      ],
    };
    const question = { kinds: ["customResourceDefinitions" as const], instancesOf };
    const { objects, findings } = await read({ "/apis": stale, [DEFINITIONS]: [CRD] }, question);
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      [
        "PL016",
        "Winch objects (example.com) could not be read, so changes of their definitions are checked without them: its API group example.com is not available",
      ],
    ]);
    expect([objects.wholeKinds, objects.unreadKinds]).toEqual([undefined, instancesOf()]);
  });

  test("beyond the limit are left out, and that is said", async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => winch(`w${index}`));
    const { objects, findings } = await read({ [winches]: many }, { instancesOf });
    expect(objects.customResources).toHaveLength(10_000);
    expect(findings[0]?.message).toContain("more than 10000 Winch objects");
    expect(objects.rejected.map(({ kind, name }) => [kind, name])).toEqual([["Winch", undefined]]);
  });

  test("of all kinds have a limit, too: it cuts off the last ones by name, and that is said", async () => {
    const names = ["Ax", "Bell", "Crane", "Davit", "Engine", "Fender", "Gangway", "Hawser"];
    const plural = (kind: string): string => kind.toLowerCase();
    const served = [...names].reverse().map((kind) => ["v1", kind, plural(kind), true] as const);
    const objectsOf = (kind: string, count: number): readonly Json[] =>
      Array.from({ length: count }, (_, index) => ({ metadata: { name: `${kind}-${index}`, namespace: "here" } }));
    const counts: Readonly<Record<string, number>> = { Engine: 9_999, Fender: 2, Gangway: 0, Hawser: 3 };
    const answers = Object.fromEntries(
      names.map((kind) => [path("example.com", "v1", plural(kind)), objectsOf(kind, counts[kind] ?? 10_000)]),
    );
    const { objects, findings } = await read(
      { "/apis": discoveryOf({ "example.com": served }), ...answers },
      {
        kinds: [],
        instancesOf: () => new Set(names.map((kind) => kindKey({ group: "example.com", kind }))),
      },
    );
    expect(objects.customResources).toHaveLength(50_000);
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      [
        "PL016",
        "there are more than 1 Fender object (example.com): changes of their definition are checked with these only",
      ],
      [
        "PL016",
        "Hawser objects (example.com) are not read, since there are too many of other kinds: changes of their definition are checked without them",
      ],
    ]);
    const whole = ["Ax", "Bell", "Crane", "Davit", "Engine", "Gangway"];
    expect([...(objects.wholeKinds ?? [])].sort()).toEqual(
      whole.map((kind) => kindKey({ group: "example.com", kind })).sort(),
    );
  });
});

test("the server states its version and the APIs that have no definition", async () => {
  const { versions, apis, objects } = await read({ [DEFINITIONS]: [CRD] });
  expect(versions).toEqual([{ type: "kubernetes.version", value: "1.36.4" }]);
  const kinds = servedProperties(apis, objects).map(({ value }) => (value as { readonly kind: string }).kind);
  expect(kinds).toContain("Pod");
  expect(kinds).not.toContain("Winch");
});

describe("the version of OpenShift", () => {
  const at = path("config.openshift.io", "v1", "clusterversions/version");
  const openshift = discoveryOf({ "config.openshift.io": [["v1", "ClusterVersion", "clusterversions", false]] });
  const reading = (answer: Json | NetFailure, wantsFacts = true): ReturnType<typeof read> =>
    read({ "/apis": openshift, [at]: answer }, { kinds: [], wantsFacts });

  test("is a fact, if facts are wanted", async () => {
    const answer = { metadata: { name: "version" }, status: { desired: { version: "4.21.0" } } };
    expect((await reading(answer)).versions).toContainEqual({ type: "openshift.version", value: "4.21.0" });
    expect((await reading(answer, false)).versions).toEqual([]);
  });

  test("that may not be read is unknown, and that is said; one that does not exist is none", async () => {
    const { findings, isIncomplete } = await reading(FORBIDDEN);
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      ["PL014", "reading the OpenShift version is forbidden, so it is unknown"],
    ]);
    expect(isIncomplete).toBe(true);
    expect((await reading(new NetFailure("not-found", "none"))).findings).toEqual([]);
  });
});

test("without the definitions, only Kubernetes' own groups are provided; what an operator serves, never by the cluster", async () => {
  const kindsOf = ({ apis, objects }: ReadCluster & { objects: ClusterObjects }): readonly string[] =>
    servedProperties(apis, objects).map(({ value }) => (value as { readonly kind: string }).kind);
  expect(kindsOf(await read({}))).toContain("Winch");
  const unknown = kindsOf(await read({ [DEFINITIONS]: FORBIDDEN }));
  expect(unknown).toEqual(expect.arrayContaining(["Pod", "CustomResourceDefinition"]));
  expect(unknown).not.toContain("Winch");
  const owned = [{ name: "v1.example.com", group: "example.com", version: "v1", kind: "Winch" }];
  const operator = {
    metadata: { name: "winch.v1", namespace: "here" },
    spec: { version: "1.0.0", apiservicedefinitions: { owned } },
  };
  expect(kindsOf(await read({ [OPERATORS]: [operator] }))).not.toContain("Winch");
});

test("an item that is no object is reported, and the rest of its list is used", async () => {
  const { objects, findings, isIncomplete } = await read({ [SUBSCRIPTIONS]: [SUBSCRIPTION, 7, { metadata: {} }] });
  expect(objects.subscriptions).toHaveLength(1);
  expect(findings.map(({ message }) => message)).toEqual([
    "2 Subscription objects of the cluster could not be read: an item is not an object",
  ]);
  expect(isIncomplete).toBe(true);
  expect(objects.lost.kinds?.has("Subscription")).toBe(true);
});

test("a list cannot bring in objects of another kind", async () => {
  const constraints = { ...SUBSCRIPTION, apiVersion: "v1", kind: "ConfigMap", data: { properties: "[]" } };
  const other = { ...SUBSCRIPTION, apiVersion: "operators.coreos.com/v1", kind: "Subscription" };
  const { objects, findings } = await read({ [SUBSCRIPTIONS]: [constraints, other] });
  expect([objects.configMaps, objects.subscriptions]).toEqual([[], []]);
  expect(findings[0]?.message).toContain("2 Subscription objects of the cluster could not be read: an item is not of");
});

test.each([
  [
    "overlong",
    { overlong: 2 },
    "2 Subscription objects of the cluster could not be read: longer than an object may be",
  ],
  ["cut off", { isCutOff: true }, "there are more than 1 Subscription object; the others are not read"],
])("items that are %s are reported, and their kind is not completely known", async (_, more, message) => {
  const list: Server["list"] = async (_path, _options, take) => {
    take(JSON.stringify(SUBSCRIPTION));
    return { items: 1, isCutOff: false, kind: "", apiVersion: "", overlong: 0, resourceVersion: "", ...more };
  };
  const question: ClusterQuestion = { kinds: ["subscriptions"], wantsFacts: false };
  const { parts, findings, isIncomplete } = await readCluster({ ...serverWith({}), list }, question);
  const [objects] = parts.map((part) => part.finish());
  expect(findings.map((found) => found.message)).toEqual([expect.stringContaining(message)]);
  expect(objects?.subscriptions).toHaveLength(1);
  expect(objects?.lost.kinds?.has("Subscription")).toBe(true);
  expect(isIncomplete).toBe(true);
});

test("a list that is read again does not count its first items twice", async () => {
  const server = serverWith({});
  const twice: Server = {
    ...server,
    list: async (_path, { onRestart }, take) => {
      take(JSON.stringify(SUBSCRIPTION));
      take("7");
      onRestart?.();
      take(JSON.stringify(SUBSCRIPTION));
      return { items: 1, isCutOff: false, kind: "", apiVersion: "", overlong: 0, resourceVersion: "" };
    },
  };
  const { parts, count, findings } = await readCluster(twice, { kinds: ["subscriptions"], wantsFacts: false });
  expect(count).toBe(1);
  expect(findings).toEqual([]);
  expect(parts.map((part) => part.finish().subscriptions.length)).toEqual([1]);
});

test("a list that breaks off for good counts none of its items", async () => {
  const broken: Server = {
    ...serverWith({}),
    list: async (path, _options, take) => {
      take(JSON.stringify(SUBSCRIPTION));
      if (path === SUBSCRIPTIONS) throw new NetFailure("expired", "the page is gone");
      return { items: 1, isCutOff: false, kind: "", apiVersion: "", overlong: 0, resourceVersion: "" };
    },
  };
  const question: ClusterQuestion = { kinds: ["subscriptions", "installedOperators"], wantsFacts: false };
  const { count, parts } = await readCluster(broken, question);
  expect(parts.map((part) => part.finish().subscriptions.length)).toEqual([0, 0]);
  expect(count).toBe(1);
});

test("any number of invalid objects is left out", async () => {
  const invalid = Array.from({ length: 200_000 }, (_, index) => ({
    metadata: { name: `s${index}`, namespace: "here" },
  }));
  const { objects } = await read({ [SUBSCRIPTIONS]: [...invalid, SUBSCRIPTION] });
  expect([objects.rejected.length, objects.subscriptions.length]).toEqual([200_000, 1]);
});
