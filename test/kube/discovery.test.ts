// Which APIs are found, on new and on old servers, and which are known to be unread?
import { expect, test } from "vitest";
import { servedApis, serverVersion } from "../../src/kube/discovery.ts";
import { listPath, objectPath } from "../../src/kube/path.ts";
import { type Answer, api, failureOf, json, kubeconfig, scripted, status } from "./scripted-server.ts";

/** Answers by path. */
function paths(answers: Readonly<Record<string, Answer>>): Answer {
  return (request, response) => (answers[request.url ?? ""] ?? status(404, "no such path"))(request, response);
}

const RESOURCE = { scope: "Namespaced", verbs: ["get", "list"], subresources: [{ subresource: "status" }] };
const AGGREGATED = { "content-type": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };

function discovery(items: readonly unknown[]): Answer {
  return json({ kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", items }, 200, AGGREGATED);
}

test("aggregated discovery", async () => {
  const { url, requests } = await scripted(
    paths({
      "/api": discovery([
        {
          metadata: {},
          versions: [
            {
              version: "v1",
              freshness: "Current",
              resources: [{ ...RESOURCE, resource: "pods", responseKind: { group: "", version: "v1", kind: "Pod" } }],
            },
          ],
        },
      ]),
      "/apis": discovery([
        {
          metadata: { name: "example.com" },
          versions: [
            {
              version: "v2",
              freshness: "Current",
              resources: [{ ...RESOURCE, resource: "things", scope: "Cluster", responseKind: { kind: "Thing" } }],
            },
            {
              version: "v1",
              freshness: "Current",
              resources: [
                { ...RESOURCE, resource: "things", scope: "Cluster", responseKind: { kind: "Thing" } },
                { resource: "broken" },
              ],
            },
          ],
        },
        {
          metadata: { name: "metrics.k8s.io" },
          versions: [
            {
              version: "v1",
              freshness: "Stale",
              resources: [{ ...RESOURCE, resource: "nodes", responseKind: { kind: "Node" } }],
            },
          ],
        },
      ]),
    }),
  );
  const thing = { group: "example.com", kind: "Thing", plural: "things", namespaced: false, verbs: ["get", "list"] };
  expect(await servedApis(api(kubeconfig(url)).server)).toEqual({
    apis: [
      { group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true, verbs: ["get", "list"] },
      { ...thing, version: "v2" },
      { ...thing, version: "v1" },
    ],
    unreadGroups: ["metrics.k8s.io"],
  });
  expect(requests).toHaveLength(2);
  expect(requests[0]?.headers.accept).toMatch(
    /^application\/json;g=apidiscovery\.k8s\.io;v=v2;as=APIGroupDiscoveryList,/,
  );
});

test("the documents of older servers", async () => {
  const resources = (kind: string, plural: string): Answer =>
    json({
      kind: "APIResourceList",
      resources: [
        { name: plural, kind, namespaced: true, verbs: ["list"] },
        { name: `${plural}/status`, kind, namespaced: true, verbs: ["get"] },
      ],
    });
  const { url } = await scripted(
    paths({
      "/api": json({ kind: "APIVersions", versions: ["v1"] }),
      "/apis": json({
        kind: "APIGroupList",
        groups: [
          {
            name: "example.com",
            versions: [{ version: "v1" }, { version: "v2" }],
            preferredVersion: { version: "v2" },
          },
          { name: "metrics.k8s.io", versions: [{ version: "v1beta1" }] },
        ],
      }),
      "/api/v1": resources("Pod", "pods"),
      "/apis/example.com/v1": resources("Thing", "things"),
      "/apis/example.com/v2": resources("Thing", "things"),
      "/apis/metrics.k8s.io/v1beta1": status(503, "service unavailable"),
    }),
  );
  const { apis, unreadGroups } = await servedApis(api(kubeconfig(url)).server);
  expect(apis.map(({ group, version, plural }) => `${group}/${version}/${plural}`)).toEqual([
    "/v1/pods",
    "example.com/v2/things",
    "example.com/v1/things",
  ]);
  expect(unreadGroups).toEqual(["metrics.k8s.io"]);
});

test("something that is no API server; and no permission", async () => {
  const { url } = await scripted(json({ hello: "world" }));
  expect((await failureOf(servedApis(api(kubeconfig(url)).server))).kind).toBe("malformed");
  const { url: closed } = await scripted(status(403, "no"));
  expect((await failureOf(servedApis(api(kubeconfig(closed)).server))).kind).toBe("forbidden");
});

test("the version", async () => {
  const { url } = await scripted(json({ major: "1", minor: "36", gitVersion: "v1.36.4" }));
  expect(await serverVersion(api(kubeconfig(url)).server)).toBe("v1.36.4");
});

test("paths", () => {
  const core = { group: "", version: "v1", plural: "pods" };
  const things = { group: "example.com", version: "v1", plural: "things" };
  expect(listPath(core)).toBe("/api/v1/pods");
  expect(listPath(core, "shop")).toBe("/api/v1/namespaces/shop/pods");
  expect(listPath(things)).toBe("/apis/example.com/v1/things");
  expect(objectPath(things, undefined, "a b/../c")).toBe("/apis/example.com/v1/things/a%20b%2F..%2Fc");
  expect(objectPath(things, "n?", "x")).toBe("/apis/example.com/v1/namespaces/n%3F/things/x");
  // Neither leaves its place, nor is half of a character the end of the command.
  const hostile = listPath({ group: "..", version: ".", plural: "\ud800" });
  expect(new URL(`https://server${hostile}`).pathname).toBe("/apis/%252E%252E/%252E/%EF%BF%BD");
});

test("of two failures the same one is always reported, whichever comes first", async () => {
  let answered = (): void => {};
  const other = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const { url } = await scripted(
    paths({
      "/api": (request, response) => void other.then(() => setTimeout(() => status(403, "no")(request, response), 20)),
      "/apis": (request, response) => {
        response.on("close", answered);
        status(403, "no")(request, response);
      },
    }),
  );
  const failure = await failureOf(servedApis(api(kubeconfig(url)).server));
  expect(failure.message).toBe(`the API server ${url} forbids reading /api: no`);
});
