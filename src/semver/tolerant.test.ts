import { describe, expect, test } from "vitest";
import { parseClusterVersion, parseTolerant } from "./tolerant.ts";
import { compareVersions, printVersion, type Version } from "./version.ts";

function printed(version: Version | string): string {
  return typeof version === "string" ? `refused: ${version}` : printVersion(version);
}

describe("parseTolerant", () => {
  test.for([
    [" v1.2.3 ", "1.2.3"],
    ["5", "5.0.0"],
    ["v01.02", "1.2.0"],
    ["1.2.00-alpha", "1.2.0-alpha"],
    [
      "1.2-rc1",
      'refused: the short version "1.2-rc1" has a pre-release or build metadata: write all three numbers before it',
    ],
    ["v", "refused: the version is empty: write a number at least, such as 1"],
    ["a1", 'refused: the major number "a1" is not a number'],
    ["1.x", 'refused: the minor number "x" is a wildcard, which only a range may have'],
  ] as const)("%j", ([text, expected]) => {
    expect(printed(parseTolerant(text))).toBe(expected);
  });
});

describe("parseClusterVersion", () => {
  test.for([
    ["v1.31.2", "1.31.2"],
    [" 1.31.2\n", "1.31.2"],
    ["1.31", "1.31.0"],
    ["v1", "1.0.0"],
    ["1.31+", "1.31.0"],
    ["v1.31.2+", "1.31.2"],
    ["01.031.002", "1.31.2"],
    ["4.18", "4.18.0"],
    ["v1.31.2-gke.100", "1.31.2+gke.100"],
    ["1.31.2-gke.1106000", "1.31.2+gke.1106000"],
    ["v1.31.2-eks-036c24b", "1.31.2+eks-036c24b"],
    ["v1.31.2+k3s1", "1.31.2+k3s1"],
    ["v1.31.2+rke2r1", "1.31.2+rke2r1"],
    ["v1.31.2-rancher1", "1.31.2+rancher1"],
    ["v1.31.1+vmware.2-fips", "1.31.1+vmware.2-fips"],
    ["v1.31.1---vmware.2-fips", "1.31.1+--vmware.2-fips"],
    ["v1.31.2-gke.1+x.y", "1.31.2+gke.1.x.y"],
    ["1.31-gke.3", "1.31.0+gke.3"],
    ["v1.31.2-00a.01", "1.31.2+00a.01"],
    ["v1.31.2+rc1", "1.31.2+rc1"],
    ["v1.32.0-alpha.1", "1.32.0-alpha.1"],
    ["v1.32.0-alpha.0.123+0f3a1b", "1.32.0-alpha.0.123+0f3a1b"],
    ["v1.31.2-alpha.1+gke.3", "1.31.2-alpha.1+gke.3"],
    ["v1.30.0-rc.1-gke.2", "1.30.0-rc.1+gke.2"],
    ["v1.30.0-rc.1-eks-036c24b", "1.30.0-rc.1+eks-036c24b"],
    ["v1.30.4-rc1-rancher1+x", "1.30.4-rc1+rancher1.x"],
    ["v1.30.4-rc1+k3s1", "1.30.4-rc1+k3s1"],
    ["1.31-beta", "1.31.0-beta"],
    ["1.31.0-beta-1", "1.31.0-beta-1"],
    ["1.31.0-RC.01", "1.31.0-RC.1"],
    ["1.31.0-SNAPSHOT", "1.31.0-SNAPSHOT"],
    ["1.31.0-pre-release.1", "1.31.0-pre-release.1"],
    ["1.31.0-dev", "1.31.0-dev"],
    ["v1.32.0-alpha.0-123-g0f3a1b", "1.32.0-alpha.0-123+g0f3a1b"],
    ["", 'refused: "" is not a version: it has to begin with a number'],
    ["latest", 'refused: "latest" is not a version: it has to begin with a number'],
    ["1.31.2.4", 'refused: cannot read ".4" in the version "1.31.2.4": a suffix begins with - or +'],
    ["1.31.x", 'refused: cannot read ".x" in the version "1.31.x": a suffix begins with - or +'],
    ["1.31.2rc1", 'refused: cannot read "rc1" in the version "1.31.2rc1": a suffix begins with - or +'],
    ["1.31.2-", "refused: the build metadata is empty: write something or leave its sign out"],
    ["1.31.2-gke..1", 'refused: the build metadata "gke..1" has an empty part: remove a dot'],
  ] as const)("%j", ([text, expected]) => {
    expect(printed(parseClusterVersion(text))).toBe(expected);
  });

  test("a vendor's suffix changes no comparison", () => {
    const compare = (a: string, b: string) =>
      compareVersions(parseClusterVersion(a) as Version, parseClusterVersion(b) as Version);
    expect(compare("v1.31.2-gke.100", "1.31.2")).toBe(0);
    expect(compare("v1.30.0-rc.1-gke.2", "1.30.0-rc.2")).toBe(-1);
    expect(compare("v1.30.0-rc.1-gke.2", "1.30.0-rc.1")).toBe(0);
    expect(compare("1.31+", "1.31.0")).toBe(0);
  });
});
