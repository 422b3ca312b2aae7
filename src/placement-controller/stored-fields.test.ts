import { expect, test } from "vitest";
import { NetFailure } from "../net/failure.ts";
import { storedFields } from "./stored-fields.ts";

const GROUP = "cluster.open-cluster-management.io";
const INDEX = "/openapi/v3";
const PATH = `${INDEX}/apis/${GROUP}/v1beta1`;

function schema(kind: string, status: object): object {
  return { "x-kubernetes-group-version-kind": [{ group: GROUP, version: "v1beta1", kind }], properties: { status } };
}

/** A server of documents, by path. Like kube-apiserver, it redirects a request with another hash than that of the document. */
function served(documents: Readonly<Record<string, unknown>>, etag = '"1"') {
  const asked: string[] = [];
  const read = async <Result>(path: string, _headers: unknown, use: (response: never) => Promise<Result>) => {
    asked.push(path);
    if (path.includes("?hash=")) throw new NetFailure("malformed", `redirects ${path}`);
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(JSON.stringify(documents[path]) ?? "");
    }
    return use({
      status: 200,
      headers: { "content-type": "text/plain", ...(etag && { etag }) },
      body: body(),
    } as never);
  };
  return { read: read as never, asked };
}

function documents(placement: object, decision: object, hash = "?hash=1") {
  return {
    ...indexed(`${PATH}${hash}`),
    [PATH]: {
      components: { schemas: { a: schema("Placement", placement), b: schema("PlacementDecision", decision) } },
    },
  };
}

function indexed(address: string) {
  return { [INDEX]: { paths: { [`apis/${GROUP}/v1beta1`]: { serverRelativeURL: address } } } };
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

test.each([
  ["an index that is older than the document", "?hash=0", '"1"'],
  ["an index that is newer than the document", "?hash=2", '"1"'],
  ["an index without a hash", "", '"1"'],
  ["a weak ETag", "?hash=0", 'W/"1"'],
])("%s: the document is read, and once more only if the index does not catch up with it", async (_, hash, etag) => {
  const server = served(documents(PLACEMENT, DECISION, hash), etag);
  const read = await storedFields(server, undefined);
  expect(read?.fields.decision).toEqual(new Set(["clusterName", "reason"]));
  expect(await storedFields(served(documents(PLACEMENT, DECISION)), read)).toBe(read);
  expect(await storedFields(server, read)).toEqual(read);
  expect(server.asked).toEqual([INDEX, PATH, INDEX, PATH]);
});

test("without an ETag, the hash of the index counts", async () => {
  const server = served(documents(PLACEMENT, DECISION), "");
  const read = await storedFields(server, undefined);
  expect(await storedFields(server, read)).toBe(read);
});

test("what preserves unknown fields stores all of them", async () => {
  const open = { "x-kubernetes-preserve-unknown-fields": true };
  const read = await storedFields(served(documents({ ...PLACEMENT, ...open }, open)), undefined);
  expect(read?.fields).toEqual({ placementStatus: undefined, decision: undefined });
});

test("schemas without fields: all fields are assumed", async () => {
  const read = await storedFields(served(documents({}, {})), undefined);
  expect(read?.fields).toEqual({ placementStatus: undefined, decision: undefined });
});

test.each([
  ["no such group", { [INDEX]: { paths: {} } }],
  ["an index that is none", { [INDEX]: [1] }],
  ["an address elsewhere", indexed("https://elsewhere/openapi/v3/")],
  ["a document that is none", { ...documents(PLACEMENT, DECISION), [PATH]: "x" }],
  ["an index that still has a document that is gone", indexed(`${PATH}?hash=1`)],
])("%s: nothing is known yet", async (_, answers) => {
  expect(await storedFields(served(answers), undefined)).toBeUndefined();
});
