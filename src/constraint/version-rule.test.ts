// Is a rule written as a cluster version only if it requires nothing but that?

import { expect, test } from "vitest";
import { sentence } from "../render/sentence/constraint.ts";
import type { CelConstraint } from "./constraint.ts";
import { outlineOf } from "./outline.ts";
import { ConstraintReader } from "./read-requirements.ts";
import { possibleVersions, requiredVersion } from "./version-rule.ts";

const reader = new ConstraintReader({ compat: false, maxBytes: 65_536, maxDepth: 10, celCostLimit: 1_000_000 });

function read(rule: string): CelConstraint {
  const { requirements } = reader.of([{ type: "olm.constraint", value: { cel: { rule } } }]);
  return requirements[0]?.constraint as CelConstraint;
}

const KUBE = "p.type == 'kubernetes.version'";

test.each([
  [`properties.exists(p, ${KUBE} && semver_compare(p.value, '1.30.0') >= 0)`, "Kubernetes 1.30.0 or newer"],
  [`properties.exists(p, semver_compare('v1.30', p.value) <= 0 && ${KUBE})`, "Kubernetes v1.30 or newer"],
  [`properties.exists(p, ${KUBE} && 0 < semver_compare(p.value, '1.30.0'))`, "Kubernetes newer than 1.30.0"],
  [`properties.exists(p, ${KUBE} && semver_compare(p.value, '1.30.0') == 0)`, "Kubernetes 1.30.0"],
  [`properties.exists(p, ${KUBE} && semver(p.value).compareTo(semver('1.30.0')) < 0)`, "Kubernetes older than 1.30.0"],
  [`properties.exists(p, ${KUBE} && !semver(p.value).isLessThan(semver('1.30.0')))`, "Kubernetes 1.30.0 or newer"],
  [
    `properties.exists(p, ${KUBE} && !semver(p.value, true).isGreaterThan(semver('1.30.0')))`,
    "Kubernetes 1.30.0 or older",
  ],
  [
    "properties.exists(p, p.type == 'openshift.version' && semver_compare(p.value, '4.16') <= 0)",
    "OpenShift 4.16 or older",
  ],
])("%s", (rule, text) => {
  expect(sentence(outlineOf(read(rule)))).toBe(text);
});

test.each([
  `properties.exists(p, ${KUBE} || semver_compare(p.value, '1.30.0') >= 0)`,
  `!properties.exists(p, ${KUBE} && semver_compare(p.value, '1.30.0') >= 0)`,
  `properties.all(p, ${KUBE} && semver_compare(p.value, '1.30.0') >= 0)`,
  `properties.exists(p, ${KUBE} && semver_compare(p.value, '1.30.0') >= 1)`,
  `properties.exists(p, ${KUBE} && semver_compare(p.value.major, '1.30.0') >= 0)`,
  `properties.exists(p, ${KUBE} && semver_compare(p.value, '1.30.0') >= 0 && p.value != '1.31.0')`,
  "properties.exists(p, p.type == 'olm.package' && semver_compare(p.value, '1.30.0') >= 0)",
  `properties.exists(p, ${KUBE} && !(semver_compare(p.value, '1.30.0') == 0))`,
])("no: %s", (rule) => {
  expect(requiredVersion(read(rule))).toBeUndefined();
  expect(sentence(outlineOf(read(rule)))).toContain("meets the rule");
});

test("versions in such a rule, and the next ones", () => {
  const rule = `properties.exists(p, ${KUBE} && semver_compare(p.value, '1.30.0') > 0 && semver_compare(p.value, '1.29') != 0)`;
  expect(possibleVersions(read(rule))).toEqual(
    ["1.29", "1.29.1", "1.30.0", "1.30.1"].map((text) => ({ type: "kubernetes.version", text, isLeast: false })),
  );
  expect(possibleVersions(read("properties.exists(p, p.type == 'x' && p.value == '1.30.0')"))).toEqual([]);
  const least = `properties.exists(p, ${KUBE} && semver_compare(p.value, '1.30.0') >= 0)`;
  expect(possibleVersions(read(least)).map(({ isLeast }) => isLeast)).toEqual([true, true]);
});
