// Is deploy/read-role.yaml, applied as it is, enough for every command? A token of its service account gives the answer that the
// administrator gets; custom resources, which it does not cover, are a warning or left out.

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { partOf } from "../../src/model/json.ts";
import { openClient } from "./api-client.ts";
import { type Ran, runCommand, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";

const { server, tokens } = inject("cluster");
const folder = testFolder("role");
const admin = openClient({ server, token: tokens.admin as string });
const kubeconfigs: Record<string, string> = {};
const CATALOG = "--catalog harbour=examples/harbour/catalog";

beforeAll(async () => {
  const path = "/api/v1/namespaces/plimsoll/serviceaccounts/plimsoll-reader/token";
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 3600 } };
  const { body } = await admin.call("POST", path, request);
  const users = { admin: tokens.admin as string, reader: partOf(body, "status").token as string };
  for (const [name, token] of Object.entries(users))
    kubeconfigs[name] = writeKubeconfig(folder, { server, name, user: { token }, namespace: "quay-south" });
});
afterAll(() => admin.close());

/** Runs a command as a user; the name of the kubeconfig is left out. */
async function ranAs(user: string, line: string): Promise<Ran> {
  const kubeconfig = kubeconfigs[user] as string;
  const { code, out, err } = await runCommand([...line.split(" "), "--kubeconfig", kubeconfig], folder);
  return { code, out: out.replaceAll(kubeconfig, "CONFIG"), err: err.replaceAll(`context ${user}`, "context") };
}

describe("the service account gets the answer of the administrator", () => {
  test.each([
    [`resolve -A --no-instances ${CATALOG}`, "Resolved in namespace bridge"],
    [`plan --no-instances ${CATALOG}`, "quay-south"],
    [`explain winch --no-instances ${CATALOG}`, "winch"],
    ["place --now 2026-11-01T00:00:00Z", "✓ default/placement1"],
    ["place --explain lisbon", "lisbon"],
    [`lint ${CATALOG}`, "placement4"],
    ["cel check", "placement4"],
    ["cel eval --env placement --all managedCluster.metadata.name", "lisbon"],
    ["crd check --no-instances examples/harbour/bundles/winch/2.0.0", "unsafe: 2 errors"],
  ])("%s", async (line, part) => {
    const [ofReader, ofAdmin] = await Promise.all([ranAs("reader", line), ranAs("admin", line)]);
    expect(ofReader.out).toContain(part);
    expect(ofReader).toEqual(ofAdmin);
    expect(ofReader.err).not.toMatch(/PL01[46]/);
  });
});

/** The custom resources of the example whose definitions an update may change. */
const ALL_CUSTOM =
  "billsoflading.cargo.longshore.example.org, winches.machinery.harbour.example.com, flagsets.signals.harbour.example.com";

describe("custom resources that the role does not cover are a warning", () => {
  test.each([
    [`resolve -A ${CATALOG}`, 5, ALL_CUSTOM],
    [`plan ${CATALOG}`, 5, ALL_CUSTOM],
    ["crd check examples/harbour/bundles/winch/2.0.0", 1, "winches.machinery.harbour.example.com"],
  ])("%s", async (line, code, kinds) => {
    const ofReader = await ranAs("reader", line);
    const ofAdmin = await ranAs("admin", line);
    expect([ofReader.code, ofAdmin.code]).toEqual([code, code]);
    expect(ofReader.err).toContain(
      `warning[PL016]: reading custom resources is forbidden (${kinds}), so changes of their definitions are checked without them\n`,
    );
    expect(ofReader.err).toContain("; --no-instances leaves custom resources out\n");
    expect(ofReader.err.match(/PL016/g)).toHaveLength(1);
    expect(ofReader.err).not.toContain("error[");
    expect(ofAdmin.err).not.toContain("PL016");
  });
});
