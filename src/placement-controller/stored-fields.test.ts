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
  const get = async (path: string): Promise<string> => {
    asked.push(path);
    return JSON.stringify(documents[path] ?? null);
  };
  return { get, asked };
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
  expect(read.fields).toEqual({
    placementStatus: new Set(["conditions", "numberOfSelectedClusters"]),
    decision: new Set(["clusterName", "reason"]),
  });
  expect(await storedFields(server, read)).toBe(read);
  expect(server.asked).toEqual([INDEX, PATH, INDEX]);
});

test("what preserves unknown fields stores all of them", async () => {
  const open = { "x-kubernetes-preserve-unknown-fields": true };
  const { fields } = await storedFields(served(documents({ ...PLACEMENT, ...open }, open)), undefined);
  expect(fields).toEqual({ placementStatus: undefined, decision: undefined });
});

test.each([
  ["no such group", { [INDEX]: { paths: {} } }],
  ["an index that is none", { [INDEX]: [1] }],
  ["an address elsewhere", documents(PLACEMENT, DECISION, "https://elsewhere/openapi/v3/")],
  ["a document that is none", { ...documents(PLACEMENT, DECISION), [PATH]: "x" }],
  ["schemas without fields", documents({}, {})],
])("%s: all fields are assumed", async (_, answers) => {
  const { fields } = await storedFields(served(answers), undefined);
  expect(fields).toEqual({ placementStatus: undefined, decision: undefined });
});
