// Does a real API server serve the CRD of a Resolution as users need it? It takes the CRD, kubectl explains every field, a mistake gets a
// message that says what to write, a status with every field is stored as it is, and `kubectl get` shows a namespace in one line.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isObject, type JsonObject, partOf } from "../../src/model/json.ts";
import { MAX_STATUS_LIST, MAX_STATUS_TEXT } from "../../src/model/resolution-object.ts";
import { documentsOf } from "../case-documents.ts";
import { COMPLETE_SPEC, COMPLETE_STATUS, LEAST_STATUS, resolutionObject } from "../deploy/resolution-examples.ts";
import type { ApiAnswer } from "./api-client.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type Kubectl, kubectlOutput, runKubectl } from "./kubectl.ts";

const CRD = "deploy/resolution/crd.yaml";
const RESOLUTIONS = "/apis/plimsoll.dev/v1alpha1/namespaces/cargo/resolutions";
const PLIMSOLL = `${RESOLUTIONS}/plimsoll`;
const folder = testFolder("resolution-crd");
let cluster: Cluster;
let kubectl: Kubectl;

beforeAll(async () => {
  cluster = await startCluster();
  const { server, tokens, servers } = cluster;
  const user = { token: tokens.admin as string };
  const kubeconfig = writeKubeconfig(folder, { server, name: "admin", user, namespace: "cargo" });
  kubectl = { servers, kubeconfig, home: folder };
  await kubectlOutput(kubectl, ["create", "namespace", "cargo"]);
  const applied = await runKubectl(kubectl, ["apply", "-f", CRD]);
  expect([applied.code, applied.err]).toEqual([0, ""]);
  await kubectlOutput(kubectl, [
    "wait",
    "--for=condition=Established",
    "crd/resolutions.plimsoll.dev",
    "--timeout=60s",
  ]);
});
afterAll(() => cluster?.stop());

/** Writes a Resolution with `kubectl apply`; says what it printed. */
async function applied(object: JsonObject): Promise<string> {
  const path = join(folder, "object.json");
  writeFileSync(path, JSON.stringify(object));
  const { out, err } = await runKubectl(kubectl, ["apply", "-f", path]);
  return out + err;
}

function writeStatus(status: unknown): Promise<ApiAnswer> {
  return cluster.admin.call("PATCH", `${PLIMSOLL}/status`, { status: status as JsonObject });
}

test("the API server accepts the schema without complaint", async () => {
  const definition = await cluster.admin.get(
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/resolutions.plimsoll.dev",
  );
  const conditions = partOf(definition, "status").conditions as readonly JsonObject[];
  const states = Object.fromEntries(conditions.map(({ type, status }) => [type, status]));
  expect(states).toEqual({ NamesAccepted: "True", Established: "True" });
});

/** The objects of a schema, each with its fields, by the path that `kubectl explain` takes. */
function objectsOf(
  path: string,
  schema: JsonObject,
): readonly { readonly path: string; readonly fields: JsonObject }[] {
  const { properties, items } = schema;
  if (isObject(items)) return objectsOf(path, items);
  if (!isObject(properties)) return [];
  const inner = Object.entries(properties).flatMap(([name, one]) => objectsOf(`${path}.${name}`, one as JsonObject));
  return [{ path, fields: properties }, ...inner];
}

test("kubectl explain describes every field", async () => {
  const [definition = {}] = documentsOf(CRD);
  const [version = {}] = partOf(definition, "spec").versions as readonly JsonObject[];
  const objects = objectsOf("resolutions", partOf(partOf(version, "schema"), "openAPIV3Schema"));
  expect(objects.map(({ path }) => path)).toContain("resolutions.status.plan.next.changes");
  // The API server publishes the schema a moment after it serves the kind.
  await vi.waitFor(() => kubectlOutput(kubectl, ["explain", "resolutions"]), { timeout: 60_000, interval: 100 });
  for (const { path, fields } of objects) {
    const text = (await kubectlOutput(kubectl, ["explain", path])).replace(/\s+/g, " ");
    for (const [name, field] of Object.entries(fields)) {
      expect(text, path).toMatch(new RegExp(` ${name} <`));
      // Kubernetes has words of its own for what every object has.
      const { description } = field as JsonObject;
      if (!["apiVersion", "kind", "metadata"].includes(name)) expect(text, `${path}.${name}`).toContain(description);
    }
    expect(text).not.toContain("<no description>");
  }
  const outcome = await kubectlOutput(kubectl, ["explain", "pres.status.outcome"]);
  expect(outcome).toMatch(/Resolved\n +Partial\n +Unsatisfiable\n +Undecided\n/);
});

describe("an administrator", () => {
  test("may leave out everything: the defaults are put in", async () => {
    expect(await applied(resolutionObject())).toBe("resolution.plimsoll.dev/plimsoll created\n");
    const { spec } = await cluster.admin.get(PLIMSOLL);
    expect(spec).toEqual({ mode: "Advise", approval: "FromSubscriptions", allOrNothing: false });
  });

  test.each<readonly [string, JsonObject, string]>([
    [
      "Enforce",
      { mode: "Enforce" },
      'spec.mode: Invalid value: "Enforce": mode Enforce is not available in this version; use Advise or Off\n',
    ],
    ["another mode", { mode: "advise" }, 'spec.mode: Invalid value: "advise": mode must be Advise or Off\n'],
    ["no text as mode", { mode: 1 }, "spec.mode in body must be of type string"],
    [
      "another approval",
      { approval: "manual" },
      'spec.approval: Unsupported value: "manual": supported values: "FromSubscriptions", "Manual"',
    ],
    ["a package twice", { hold: ["winch", "winch"] }, 'spec.hold[1]: Duplicate value: "winch"'],
    ["a package that can have no such name", { hold: ["-winch"] }, "spec.hold[0] in body should match"],
    [
      "too many packages",
      { hold: Array.from({ length: 257 }, (_, at) => `p${at}`) },
      "spec.hold: Too many: 257: must have at most 256 items",
    ],
    ["an unknown field", { held: ["winch"] }, 'strict decoding error: unknown field "spec.held"'],
  ])("gets a message: %s", async (_, spec, message) => {
    expect(await applied(resolutionObject({ spec }))).toContain(message);
  });

  test("may give it two names only", async () => {
    expect(await applied(resolutionObject({}, "other"))).toContain(
      "metadata.name must be plimsoll, for the Subscriptions of this namespace, or cluster, for the ClusterExtensions, in the namespace of the controller\n",
    );
    expect(await applied(resolutionObject({}, "cluster"))).toBe("resolution.plimsoll.dev/cluster created\n");
  });

  test("writes no status", async () => {
    await applied(resolutionObject({ status: { summary: "all is well" } }));
    expect(await cluster.admin.get(PLIMSOLL)).not.toHaveProperty("status");
  });
});

describe("the controller", () => {
  test.each([
    ["every field", COMPLETE_STATUS],
    ["only what it must have", LEAST_STATUS],
  ])("writes a status with %s, and it is stored as it is", async (_, status) => {
    await writeStatus(null);
    expect((await writeStatus(status)).status).toBe(200);
    expect((await cluster.admin.get(PLIMSOLL)).status).toEqual(status);
  });

  const text = "x".repeat(MAX_STATUS_TEXT);
  const texts = (length: number): readonly string[] => Array.from({ length }, () => "");
  const hold = { package: "lading", bundle: "lading.v1.9.0", available: [], summary: text };
  test.each<readonly [number, string, JsonObject]>([
    [200, "the longest text", { summary: text }],
    [422, "a longer one", { summary: `${text}x` }],
    [200, "the longest lists", { heldBack: [{ ...hold, why: texts(MAX_STATUS_LIST) }], cut: texts(MAX_STATUS_LIST) }],
    [422, "a longer one", { heldBack: [{ ...hold, why: texts(MAX_STATUS_LIST + 1) }] }],
    [422, "an outcome that there is not", { outcome: "Off" }],
  ])("gets %i for %s", async (code, _, status) => {
    await writeStatus(null);
    expect((await writeStatus(status)).status).toBe(code);
  });

  test("writes a status of 512 KiB", async () => {
    const line = "x".repeat(1000);
    const why = Array.from({ length: 104 }, () => line);
    await writeStatus(null);
    const heldBack = Array.from({ length: 5 }, () => ({ ...hold, why }));
    expect(Buffer.byteLength(JSON.stringify({ heldBack }))).toBeGreaterThan(512 * 1024);
    expect((await writeStatus({ heldBack })).status).toBe(200);
  });

  test("has no condition twice", async () => {
    const [condition] = COMPLETE_STATUS.conditions;
    const { status, body } = await writeStatus({ conditions: [condition, condition] });
    expect([status, body.message]).toEqual([422, expect.stringContaining("status.conditions[1]: Duplicate value")]);
  });
});

test("kubectl get shows a namespace in one line, and with -o wide also why", async () => {
  await applied(resolutionObject({ spec: COMPLETE_SPEC as unknown as JsonObject }));
  await writeStatus(null);
  await writeStatus(COMPLETE_STATUS);
  const lines = async (...flags: readonly string[]): Promise<readonly (readonly string[])[]> => {
    const text = await kubectlOutput(kubectl, ["get", "pres", "plimsoll", ...flags]);
    return text
      .trim()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
  };
  const columns = ["NAME", "MODE", "OUTCOME", "OPERATORS", "UPDATES", "HELD-BACK", "UNSATISFIED", "WAITING", "AGE"];
  const values = ["plimsoll", "Advise", "Partial", "2", "1", "1", "1", "1", expect.stringMatching(/^\d+s$|^\dm/)];
  expect(await lines()).toEqual([columns, values]);
  expect(await lines("-o", "wide")).toEqual([
    [...columns, "WHY"],
    [...values, COMPLETE_STATUS.reason],
  ]);
});

test("kubectl describe shows an explanation line by line", async () => {
  const text = await kubectlOutput(kubectl, ["describe", "resolution", "plimsoll"]);
  expect(text).toContain("1. customs-broker 1.4.0 runs and stays: its channel has nothing newer.\n");
});

test("without the CRD there are no Resolutions any more", async () => {
  await kubectlOutput(kubectl, ["delete", "-f", CRD]);
  expect(await cluster.admin.status(PLIMSOLL)).toBe(404);
});
