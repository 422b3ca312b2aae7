import { expect, test } from "vitest";
import type { Json } from "../model/json.ts";
import { openshiftVersion, versionProperty } from "./server-facts.ts";

test("the version of a server, as bundles compare it", () => {
  const value = (version: string | undefined): Json | undefined =>
    versionProperty("kubernetes.version", version)[0]?.value;
  expect(["v1.36.4", "1.31.0+k3s1", " v1.30.0\n"].map(value)).toEqual(["1.36.4", "1.31.0+k3s1", "1.30.0"]);
  expect([undefined, "", "v"].map(value)).toEqual([undefined, undefined, undefined]);
});

test.each<[string, Json, string | undefined]>([
  [
    "the last update that was completed, while another one runs",
    {
      desired: { version: "4.21.0" },
      history: [
        { state: "Partial", version: "4.21.0" },
        { state: "Completed", version: "4.20.3" },
        { state: "Completed", version: "4.19.9" },
      ],
    },
    "4.20.3",
  ],
  [
    "the desired one, during the installation",
    { desired: { version: "4.21.0" }, history: [{ state: "Partial", version: "4.21.0" }] },
    "4.21.0",
  ],
  ["the desired one, without a history", { desired: { version: "4.21.0" } }, "4.21.0"],
  ["unknown, if it is no text", { desired: { version: 4 }, history: [7, null] }, undefined],
  ["unknown, without anything", {}, undefined],
])("the version of OpenShift is %s", (_, status, version) => {
  expect(openshiftVersion({ status })).toBe(version);
});

test("what is no ClusterVersion has no version", () => {
  expect([openshiftVersion({}), openshiftVersion([]), openshiftVersion({ status: 7 })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
