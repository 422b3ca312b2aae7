import { describe, expect, test } from "vitest";
import { ObjectsReader } from "../../input/objects/read-objects.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { type Finding, finding } from "../../model/finding.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { placementKey } from "../../placement/placement-name.ts";
import type { ExitCode } from "../exit-code.ts";
import { askedPlacements, type PlaceInputs } from "./inputs.ts";
import type { PlaceFlags } from "./options.ts";

const GROUP = "cluster.open-cluster-management.io";
const PLACE = { source: "a.yaml", line: 1, column: 1 };

function placement(name: string, spec: Json = {}): JsonObject {
  return { apiVersion: `${GROUP}/v1beta1`, kind: "Placement", metadata: { name, namespace: "apps" }, spec };
}

function cluster(name: string, spec: Json = {}): JsonObject {
  return { apiVersion: `${GROUP}/v1`, kind: "ManagedCluster", metadata: { name }, spec };
}

function read(objects: readonly JsonObject[]): { objects: ClusterObjects; findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const reader = new ObjectsReader((found) => void findings.push(found));
  for (const object of objects) reader.add(object, PLACE);
  return { objects: reader.finish(), findings };
}

interface Given {
  readonly objects: readonly JsonObject[];
  readonly against?: readonly JsonObject[];
  readonly words?: readonly string[];
  readonly flags?: Partial<PlaceFlags>;
  readonly codes?: readonly ExitCode[];
  readonly findings?: readonly Finding[];
}

/** The keys of the Placements that are asked for; or the exit code and the message. */
function asked({ objects, against, words = [], flags = {}, codes = [], findings = [] }: Given): readonly unknown[] {
  const given = read(objects);
  const inputs = {
    objects: given.objects,
    against: against && read(against).objects,
    findings: [...given.findings, ...findings],
    codes,
  } as unknown as PlaceInputs;
  const found = askedPlacements(words, flags as PlaceFlags, inputs);
  return "message" in found ? [found.code, found.message] : found.map(placementKey);
}

const BROKEN = placement("broken", { numberOfClusters: "many" });

describe("the Placements that are asked for", () => {
  test("are all, also those that were there before", () => {
    const objects = [placement("lamp")];
    expect(asked({ objects })).toEqual(["apps/lamp"]);
    expect(asked({ objects, against: [placement("gone"), placement("lamp")] })).toEqual(["apps/lamp", "apps/gone"]);
    expect(asked({ objects, against: [placement("gone")], words: ["gone"] })).toEqual(["apps/gone"]);
  });

  test("are also those of which there are decisions only", () => {
    const labels = { "cluster.open-cluster-management.io/placement": "gone" };
    const decision = {
      apiVersion: "cluster.open-cluster-management.io/v1beta1",
      kind: "PlacementDecision",
      metadata: { name: "gone-decision-1", namespace: "apps", labels },
      status: { decisions: [{ clusterName: "bergen" }] },
    };
    const objects = [placement("lamp")];
    expect(asked({ objects, against: [decision] })).toEqual(["apps/lamp", "apps/gone"]);
    expect(asked({ objects, against: [decision], words: ["lamp"] })).toEqual(["apps/lamp"]);
    expect(asked({ objects, against: [decision, placement("gone")] })).toEqual(["apps/lamp", "apps/gone"]);
  });

  test("are those that can be read", () => {
    expect(asked({ objects: [placement("lamp"), BROKEN] })).toEqual(["apps/lamp"]);
  });
});

describe("there is no answer", () => {
  test("without a Placement", () => {
    expect(asked({ objects: [cluster("bergen")] })).toEqual([
      2,
      "the input has no Placement; give the file that contains it with -f, or read a hub with --live.",
    ]);
  });

  test("while Placements may be in what cannot be read", () => {
    const message = "no Placement could be read; fix the input.";
    expect(asked({ objects: [BROKEN] })).toEqual([3, message]);
    const missing = finding("PL001", PLACE, { message: "", dropped: "file" });
    expect(asked({ objects: [], codes: [4], findings: [missing] })).toEqual([4, message]);
    const truncated = finding("PL001", PLACE, { message: "unexpected end of file" });
    expect(asked({ objects: [cluster("bergen")], findings: [truncated] })).toEqual([3, message]);
  });

  test("about a Placement that is broken", () => {
    const message = "Placement apps/broken is invalid; fix it first.";
    const objects = [placement("lamp"), BROKEN];
    expect(asked({ objects, words: ["broken"] })).toEqual([3, message]);
    expect(asked({ objects, words: ["lamp", "apps/broken"] })).toEqual([3, message]);
    const other = { ...placement("broken"), metadata: { name: "broken", namespace: "default" } };
    expect(asked({ objects: [...objects, other], words: ["broken"] })).toEqual(["default/broken"]);
  });

  test("about a cluster that is broken, or not there", () => {
    const objects = [placement("lamp"), cluster("bergen"), cluster("oslo", { taints: "NoSelect" })];
    expect(asked({ objects, flags: { explain: "bergen" } })).toEqual(["apps/lamp"]);
    expect(asked({ objects, flags: { explain: "oslo" } })).toEqual([
      3,
      "ManagedCluster oslo is invalid; fix it first.",
    ]);
    expect(asked({ objects, flags: { explain: "lisbon" } })).toEqual([
      1,
      'there is no cluster "lisbon". There is bergen.',
    ]);
  });

  test("if nothing was different before", () => {
    const other = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "apps" } };
    const objects = [placement("lamp")];
    expect(asked({ objects, against: [other] })).toEqual([2, "--against has no object that a placement depends on."]);
  });

  test("about a name that does not exist", () => {
    expect(asked({ objects: [placement("lamp")], words: ["lmap"] })).toEqual([
      1,
      'there is no Placement "lmap"; did you mean apps/lamp? There is apps/lamp.',
    ]);
  });
});
