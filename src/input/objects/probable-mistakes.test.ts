// Are probable mistakes reported at their place, and used all the same?

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { printPath } from "../../model/place.ts";
import { isTime } from "./probable-mistakes.ts";
import { ObjectsReader } from "./read-objects.ts";

const OCM = "cluster.open-cluster-management.io";
const PLACE = { source: "input.yaml", line: 1, column: 1 };

function read(object: JsonObject, namespace?: string): ClusterObjects & { readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const reader = new ObjectsReader((finding) => findings.push(finding), namespace);
  reader.add(object, PLACE);
  return { ...reader.finish(), findings };
}

/** Code, path and message of each finding. */
function findingLines({ findings }: { readonly findings: readonly Finding[] }): readonly string[] {
  return findings.map(({ code, place, message }) => `${code} ${printPath(place.path ?? [])}: ${message}`);
}

function cluster(spec: JsonObject, status: JsonObject, name = "c1"): JsonObject {
  return { apiVersion: `${OCM}/v1`, kind: "ManagedCluster", metadata: { name }, spec, status };
}

function score(status: JsonObject, namespace: string | null = "c1"): JsonObject {
  return {
    apiVersion: `${OCM}/v1alpha1`,
    kind: "AddOnPlacementScore",
    metadata: { name: "usage", namespace },
    status,
  };
}

describe("claims of a cluster", () => {
  const claim = (name: string, value = "1") => ({ name, value });

  it("with one name are reported from the second on, and all are kept", () => {
    const clusterClaims = [claim("k"), claim("l"), claim("k", "2"), claim("k", "3")];
    const found = read(cluster({}, { clusterClaims }));
    expect(findingLines(found)).toEqual([
      'PL012 status.clusterClaims[2].name: status.clusterClaims[2].name is "k" again',
      'PL012 status.clusterClaims[3].name: status.clusterClaims[3].name is "k" again',
    ]);
    expect(found.findings[0]).toMatchObject({ severity: "warning", help: "of one name, the last counts" });
    expect(found.findings[0]?.dropped).toBeUndefined();
    expect(found.managedClusters[0]?.claims).toEqual(clusterClaims);
  });

  it.each([2, 16, 17, 200_000])("are found among %i", (count) => {
    const clusterClaims = Array.from({ length: count }, (_, index) => claim(`k${index}`));
    expect(findingLines(read(cluster({}, { clusterClaims })))).toEqual([]);
    clusterClaims[count - 1] = claim("k0");
    expect(findingLines(read(cluster({}, { clusterClaims })))).toHaveLength(1);
  });

  it("a limited number is reported", () => {
    const clusterClaims = Array.from({ length: 5000 }, () => claim("k"));
    expect(findingLines(read(cluster({}, { clusterClaims })))).toHaveLength(100);
  });
});

describe("taints of a cluster", () => {
  it.each([
    ["NoSched", "NoSelect"],
    ["NoSchedule", "NoSelect"],
    ["NoExecute", "NoSelect"],
    ["PreferNoSchedule", "PreferNoSelect"],
    ["noselect", "NoSelect"],
    ["NoSelectIfNw", "NoSelectIfNew"],
    ["Fancy", undefined],
  ])("have no effect %s", (effect, meant) => {
    const found = read(
      cluster(
        {
          taints: [
            { key: "a", effect: "NoSelect" },
            { key: "b", effect },
          ],
        },
        {},
      ),
    );
    expect(findingLines(found)).toEqual([
      `PL012 spec.taints[1].effect: spec.taints[1].effect is "${effect}", which is not one of NoSelect, PreferNoSelect, NoSelectIfNew`,
    ]);
    const help = found.findings[0]?.help ?? "";
    expect(/did you mean "(\w+)"\? As it is/.exec(help)?.[1]).toBe(meant);
    expect(help).toContain("s it is, it keeps the cluster from every Placement");
    expect(found.managedClusters[0]?.taints[1]?.effect).toBe(effect);
  });

  it("must have one", () => {
    const found = read(cluster({ taints: [{ key: "a" }] }, {}));
    expect(findingLines(found)).toEqual(["PL012 spec.taints[0]: spec.taints[0] does not state its effect"]);
  });

  it("a limited number is reported", () => {
    const taints = Array.from({ length: 5000 }, () => ({ key: "a", effect: "Fancy" }));
    expect(findingLines(read(cluster({ taints }, {})))).toHaveLength(100);
  });

  it("were added at a time", () => {
    const taint = { key: "a", effect: "NoSelect" };
    const times = ["2026-01-31T12:00:00Z", null, "", "yesterday"];
    const found = read(cluster({ taints: times.map((timeAdded) => ({ ...taint, timeAdded })) }, {}));
    expect(findingLines(found)).toEqual([
      'PL012 spec.taints[3].timeAdded: spec.taints[3].timeAdded is "yesterday", which is not a time',
    ]);
    expect(found.managedClusters[0]?.taints[3]?.timeAdded).toBe("yesterday");
  });
});

describe("scores", () => {
  it("are from -100 to 100", () => {
    const scores = [-100, 100, 101, 0, -101].map((value, index) => ({ name: `s${index}`, value }));
    const found = read(score({ scores }));
    expect(findingLines(found)).toEqual([
      "PL012 status.scores[2].value: status.scores[2].value is 101, and a score is from -100 to 100",
      "PL012 status.scores[4].value: status.scores[4].value is -101, and a score is from -100 to 100",
    ]);
    expect(found.addOnPlacementScores[0]?.scores).toEqual(scores);
  });

  it("a limited number is reported", () => {
    const scores = Array.from({ length: 5000 }, (_, index) => ({ name: `s${index}`, value: 1000 }));
    expect(findingLines(read(score({ scores })))).toHaveLength(100);
  });

  it("have different names", () => {
    const scores = [
      { name: "cpu", value: 1 },
      { name: "cpu", value: 2 },
    ];
    expect(findingLines(read(score({ scores })))).toEqual([
      'PL012 status.scores[1].name: status.scores[1].name is "cpu" again',
    ]);
  });

  it("are valid until a time", () => {
    const found = read(score({ validUntil: "2026-02-29T12:00:00Z" }));
    expect(findingLines(found)).toEqual([
      'PL012 status.validUntil: status.validUntil is "2026-02-29T12:00:00Z", which is not a time',
    ]);
    expect(found.addOnPlacementScores[0]?.validUntil).toBe("2026-02-29T12:00:00Z");
  });

  it.each([null, ""])("are of no cluster if the namespace is %j", (namespace) => {
    for (const usual of [undefined, "apps"]) {
      const found = read(score({}, namespace), usual);
      expect(findingLines(found)).toEqual(["PL009 metadata: metadata.namespace is missing"]);
      expect(found.findings[0]).toMatchObject({
        help: "the namespace of an AddOnPlacementScore is the name of its cluster",
        dropped: "document",
      });
      expect(found.addOnPlacementScores).toEqual([]);
      expect(found.rejected).toEqual([
        { place: PLACE, kind: "AddOnPlacementScore", namespace: undefined, name: "usage" },
      ]);
    }
  });
});

describe("a time", () => {
  it.each([
    ["2026-01-31T12:00:00Z", true],
    ["2026-01-31T12:00:00.123456789+02:00", true],
    ["2024-02-29T00:00:00Z", true],
    ["2000-02-29T00:00:00Z", true],
    ["2026-02-29T00:00:00Z", false],
    ["1900-02-29T00:00:00Z", false],
    ["2026-04-31T00:00:00Z", false],
    ["2026-13-01T00:00:00Z", false],
    ["2026-00-10T00:00:00Z", false],
    ["2026-01-00T00:00:00Z", false],
    ["2026-01-31T24:00:00Z", false],
    ["2026-01-31T12:60:00Z", false],
    ["2026-01-31T12:00:00", false],
    ["2026-01-31 12:00:00Z", false],
    ["2026-01-31", false],
    ["1767182400", false],
  ])("%s: %s", (text, expected) => {
    expect(isTime(text)).toBe(expected);
  });

  it("is any that JavaScript writes", () => {
    const day = fc.date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(fc.property(day, (date) => isTime(date.toISOString())));
  });

  it("has a day that its month has", () => {
    for (let year = 1896; year < 2105; year++)
      for (let month = 1; month <= 12; month++)
        for (let day = 28; day <= 31; day++) {
          const isReal = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
          expect(isTime(`${year}-${String(month).padStart(2, "0")}-${day}T00:00:00Z`)).toBe(isReal);
        }
  });
});
