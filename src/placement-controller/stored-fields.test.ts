import { expect, test } from "vitest";
import { storedFields } from "./stored-fields.ts";

const GROUP = "cluster.open-cluster-management.io";
const INDEX = "/openapi/v3";
const PATH = `${INDEX}/apis/${GROUP}/v1beta1?hash=1`;

function schema(kind: string, status: object): object {
  return { "x-kubernetes-group-version-kind": [{ group: GROUP, version: "v1beta1", kind }], properties: { status } };
}

function served(documents: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const read = async (path: string, _headers: unknown, use: (response: never) => Promise<string>): Promise<string> => {
    asked.push(path);
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(JSON.stringify(documents[path] ?? null));
    }
    return use({ status: 200, headers: { "content-type": "text/plain" }, body: body() } as never);
  };
  return { read: read as never, asked };
}

function documents(placement: object, decision: object, path = PATH) {
  return {
    [INDEX]: { paths: { [`apis/${GROUP}/v1beta1`]: { serverRelativeURL: path } } },
    [path]: {
      components: { schemas: { a: schema("Placement", placement), b: schema("PlacementDecision", decision) } },
    },
  };
}

const PLACEMENT = { properties: { conditions: {}, numberOfSelectedClusters: {} } };
const DECISION = { properties: { decisions: { items: { properties: { clusterName: {}, reason: {} } } } } };

test("the fields of the schemas, and the same answer while the document is the same", async () => {
  const server = served(documents(PLACEMENT, DECISION));
  const read = await storedFields(server, undefined);
  expect(read?.fields).toEqual({
    placementStatus: new Set(["conditions", "numberOfSelectedClusters"]),
    decision: new Set(["clusterName", "reason"]),
  });
  expect(await storedFields(server, read)).toBe(read);
  expect(server.asked).toEqual([INDEX, PATH, INDEX]);
});

test("what preserves unknown fields stores all of them", async () => {
  const open = { "x-kubernetes-preserve-unknown-fields": true };
  const read = await storedFields(served(documents({ ...PLACEMENT, ...open }, open)), undefined);
  expect(read?.fields).toEqual({ placementStatus: undefined, decision: undefined });
});

test.each([
  ["a document that is none", { ...documents(PLACEMENT, DECISION), [PATH]: "x" }],
  ["schemas without fields", documents({}, {})],
])("%s: all fields are assumed", async (_, answers) => {
  const read = await storedFields(served(answers), undefined);
  expect(read?.fields).toEqual({ placementStatus: undefined, decision: undefined });
});

test.each([
  ["no such group", { [INDEX]: { paths: {} } }],
  ["an index that is none", { [INDEX]: [1] }],
  ["an address elsewhere", documents(PLACEMENT, DECISION, "https://elsewhere/openapi/v3/")],
])("%s: nothing is known yet", async (_, answers) => {
  expect(await storedFields(served(answers), undefined)).toBeUndefined();
});
