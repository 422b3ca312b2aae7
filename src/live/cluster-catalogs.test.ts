// In which ways are the catalogs of a cluster read, and for whom is each of them? What its objects state is not trusted.

import { describe, expect, test } from "vitest";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import type { JsonObject } from "../model/json.ts";
import { wholeSource } from "../model/place.ts";
import { type OwnCatalog, ownCatalogs, type Position } from "./cluster-catalogs.ts";
import { proxiedCatalogd } from "./proxied-catalogd.ts";

const SERVER = "https://api.example.com:6443";
const never = { read: () => Promise.reject(new Error("not asked")) };
const OUTSIDE: Position = {
  ...{ isInside: false, namespace: undefined, isOfClusterScope: false, server: SERVER },
  proxied: (service, path) => proxiedCatalogd(never, SERVER, service, path),
};

function ownOf(objects: readonly JsonObject[], position: Position = OUTSIDE): readonly OwnCatalog[] {
  const reader = new ObjectsReader(({ message }) => expect.unreachable(message));
  for (const object of objects) reader.add(object, wholeSource("cluster"));
  return ownCatalogs(reader.finish(), position);
}

function clusterCatalog(base: string): JsonObject {
  return {
    apiVersion: "olm.operatorframework.io/v1",
    kind: "ClusterCatalog",
    metadata: { name: "hub" },
    spec: { source: { type: "Image" } },
    status: { urls: { base } },
  };
}

function catalogSource(namespace: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "CatalogSource",
    metadata: { name: "hub", namespace },
    spec: { sourceType: "grpc", ...spec },
  };
}

describe("catalogd by the address that a ClusterCatalog states", () => {
  const waysTo = (base: string, position: Position = OUTSIDE): unknown =>
    ownOf([clusterCatalog(base)], position)[0]?.ways;

  test("the name of a Service leads through the API server; a copy of it is that of this cluster alone", () => {
    const url = `${SERVER}/api/v1/namespaces/olmv1-system/services/https:catalogd-service:443/proxy/catalogs/hub/api/v1/all`;
    expect(waysTo("https://catalogd-service.olmv1-system.svc/catalogs/hub")).toMatchObject([
      { kind: "proxied-catalogd", server: { url } },
    ]);
  });

  test.each([
    ["no URL", "no URL"],
    ["another scheme, whose host can contain a slash", "x://a%2fb.olm.svc/catalogs/hub"],
    ["another host", "https://catalogd.example.com/catalogs/hub"],
    ["this machine", "http://127.0.0.1:8001/hub"],
  ])("%s is no Service, and is known as stated by the cluster", (_, base) => {
    expect(waysTo(base)).toEqual([{ kind: "catalogd", url: base, statedBy: SERVER }]);
  });

  test("no name leaves the path of the proxy", () => {
    const [way] = waysTo("https://catalogd.olm.svc/../../..%2f..%2f/%2e%2e/secrets?x#y") as [
      { readonly server: { readonly url: string } },
    ];
    const path = new URL(way.server.url).pathname;
    expect(path).toMatch(/^\/api\/v1\/namespaces\/olm\/services\/https:catalogd:443\/proxy\//);
  });

  test("inside of the cluster it is asked directly", () => {
    const base = "https://catalogd-service.olmv1-system.svc/catalogs/hub";
    expect(waysTo(base, { ...OUTSIDE, isInside: true })).toEqual([{ kind: "catalogd", url: base, statedBy: SERVER }]);
  });
});

describe("who can use a catalog", () => {
  test.each([
    ["olm", undefined],
    ["openshift-marketplace", undefined],
    ["team-a", "own-namespace"],
    ["olm-2", "own-namespace"],
  ])("a CatalogSource of the namespace %s", (namespace, onlyFor) => {
    const [own] = ownOf([catalogSource(namespace, { image: "quay.io/x/y:z" })]);
    expect(own?.onlyFor).toBe(onlyFor);
  });

  test("a ClusterCatalog is for ClusterExtensions", () => {
    expect(ownOf([clusterCatalog("https://catalogd.example.com/")])[0]?.onlyFor).toBe("cluster-extensions");
  });

  test("only the catalogs in reach of a namespace are read", () => {
    const sources = ["olm", "team-a", "team-b"].map((namespace) => catalogSource(namespace, { image: "quay.io/x/y" }));
    const namespaces = ownOf(sources, { ...OUTSIDE, namespace: "team-a" }).map(({ namespace }) => namespace);
    expect(namespaces).toEqual(["olm", "team-a"]);
    expect(ownOf(sources)).toHaveLength(3);
  });

  test("plain gRPC is trusted inside of the cluster only", () => {
    const source = catalogSource("olm", { address: "hub.example.com:50051" });
    expect(ownOf([source])[0]?.ways).toEqual([{ kind: "grpc", address: "hub.example.com:50051" }]);
    expect(ownOf([source], { ...OUTSIDE, isInside: true })[0]?.ways).toEqual([
      { kind: "grpc", address: "hub.example.com:50051", isTrusted: true },
    ]);
  });
});
