// What do findings about definitions and their objects look like?

import { expect } from "vitest";
import { BRAKE, both, type Examples, fields, schemas, V1 } from "./rule-example.ts";
import { PLAIN, spec, user, winch } from "./winches.ts";

/** The rules about a definition by itself, about the change of its versions, and about objects. */
export const VERSION_EXAMPLES: Examples<"CRD0" | "CRD1" | "CRD3"> = {
  CRD001: {
    before: { versions: V1 },
    after: { versions: { v1: "served storage", v2: "served storage" } },
    expected: [
      "crd.yaml spec.versions[1].storage",
      "2 versions are the storage version: v1 and v2",
      "write storage: true at one of v1 and v2 only, and storage: false at the others",
    ],
  },
  CRD002: {
    after: { versions: { v1: "served storage", v2: "served" }, apiVersion: "v1beta1", spec: { version: "v3" } },
    expected: [
      "crd.yaml spec.version",
      "spec.version is v3, but the first of spec.versions is v1",
      "write version: v1, or leave spec.version out",
    ],
  },
  CRD003: {
    ...both,
    given: { owned: [user("winch.v2.0.0", "v1"), user("winch.v2.0.0", "v2")] },
    expected: [
      "crd.yaml spec.versions",
      "winch.v2.0.0 owns Winch v2, but the definition has only v1",
      "add v2 to the definition, or own v1 instead in the ClusterServiceVersion",
    ],
  },
  CRD004: {
    before: { versions: V1 },
    after: { versions: { ...V1, v2: "" } },
    given: { owned: [user("winch.v2.0.0", "v2")] },
    expected: [
      "crd.yaml spec.versions[1].served",
      "winch.v2.0.0 owns Winch v2, but the definition has it with served: false",
      "write served: true at v2, or own v1 instead in the ClusterServiceVersion",
    ],
  },
  CRD005: {
    after: {
      versions: V1,
      spec: {
        versions: ["v1", "v1", "v1"].map((name, at) => ({
          name,
          served: true,
          storage: at === 0,
          schema: { openAPIV3Schema: PLAIN },
        })),
      },
    },
    expected: [
      "crd.yaml spec.versions[1].name",
      "version v1 is there more than once",
      "keep one v1 and remove the others, or give them names of their own",
    ],
  },
  CRD006: {
    after: { versions: { ...V1, v2: { flags: "served" } } },
    expected: [
      "crd.yaml spec.versions[1]",
      "version v2 has no schema",
      "write schema.openAPIV3Schema for v2; with type: object and x-kubernetes-preserve-unknown-fields: true it takes anything",
    ],
  },
  CRD007: {
    ...fields({ type: "string" }, { $ref: "#/definitions/brake" }),
    expected: [
      `${BRAKE}["$ref"]`,
      ".spec.brake: $ref is not allowed; it was left out",
      "write it out with keywords that a CustomResourceDefinition may have",
    ],
  },
  CRD008: {
    ...fields({ type: "string" }, { type: "string", pattern: "(?=a)b" }),
    expected: [
      `${BRAKE}.pattern`,
      expect.stringMatching(/^\.spec\.brake: the pattern cannot be used: /) as string,
      "write a pattern that RE2 understands: no look-around, no back-references",
    ],
  },
  CRD009: {
    ...fields({ type: "string" }, { type: "string", "x-kubernetes-validations": [{ rule: "self >" }] }),
    expected: [
      `${BRAKE}.x-kubernetes-validations[0].rule`,
      expect.stringContaining("column") as string,
      "fix the rule; `plimsoll cel check` shows what is wrong with an expression",
    ],
  },
  CRD010: {
    ...fields(
      { type: "array", maxItems: 2000, items: { type: "integer" } },
      {
        type: "array",
        maxItems: 2000,
        items: { type: "integer" },
        "x-kubernetes-validations": [{ rule: "self.all(a, self.all(b, a + b > 0))" }],
      },
    ),
    expected: [
      `${BRAKE}.x-kubernetes-validations[0].rule`,
      expect.stringContaining("may cost") as string,
      "bound the lists, maps and texts around it with maxItems, maxProperties and maxLength, or make the rule simpler",
    ],
  },
  CRD101: {
    before: { versions: { v1: "", v2: "served storage" }, stored: ["v1", "v2"], source: "old.yaml" },
    after: { versions: { v2: "served storage" } },
    expected: [
      "old.yaml spec.versions[0].name",
      "objects may be stored in v1 (status.storedVersions), but the new CRD does not have it",
      "in this order: (1) ship a bundle that still has v1, with served: false and storage: false, and storage: true at v2; (2) write every stored Winch again, unchanged, so that it is stored in v2; (3) set status.storedVersions of winches.harbour.example.com to [v2]; (4) ship the bundle without v1",
    ],
  },
  CRD102: {
    before: { versions: { v1: "served", v2: "served storage" }, source: "old.yaml" },
    after: { versions: { v2: "served storage" } },
    expected: [
      "old.yaml spec.versions[0].name",
      "v1 was still served and is gone from the new CRD",
      "mark v1 as deprecated, so that its users are warned; then ship a bundle that has it with served: false; remove it in the one after, once nothing is stored in it",
    ],
  },
  CRD103: {
    before: { versions: { v1: "served", v2: "served storage" } },
    after: { versions: { v1: "", v2: "served storage" } },
    given: { requiredBy: [user("crane.v1.4.0 in quay-south", "v1")] },
    expected: [
      "crd.yaml spec.versions[0].served",
      "crane.v1.4.0 in quay-south requires Winch v1, which the new CRD no longer serves",
      "keep v1 with served: true until crane.v1.4.0 in quay-south no longer requires it, but v2",
    ],
  },
  CRD104: {
    before: { versions: V1 },
    after: { versions: V1, spec: { scope: "Cluster" } },
    expected: [
      "crd.yaml spec.scope",
      "the scope changes from Namespaced to Cluster",
      "write scope: Namespaced again; for another scope, define another kind and move the objects to it",
    ],
  },
  CRD105: {
    before: { versions: V1 },
    after: { versions: V1, names: { kind: "Capstan" } },
    expected: [
      "crd.yaml spec.names.kind",
      "the kind changes from Winch to Capstan",
      "write kind: Winch again; another kind needs a definition of its own, and the objects moved to it",
    ],
  },
  CRD106: {
    before: { versions: { v1: "served", v2: "served storage", v3: "served" } },
    after: { versions: { v2: "served storage", v3: "served" } },
    given: { ownedBy: [user("winch.v1.0.0 in quay-south", "v1")] },
    expected: [
      "crd.yaml spec.versions[0].name",
      "winch.v1.0.0 in quay-south works with Winch v1, which the new CRD does not have",
      "update winch.v1.0.0 in quay-south to one that owns v2 or v3 first, or keep v1 with served: true",
    ],
  },
  CRD107: {
    before: { versions: V1, source: "old.yaml" },
    expected: [
      "old.yaml ",
      "winches.harbour.example.com is no longer there",
      "put winches.harbour.example.com back, or say who looks after the winches that are there",
    ],
  },
  CRD108: {
    before: { versions: { v1: "served storage", v2: "served" } },
    after: { versions: { v1: "served", v2: "served storage" } },
    expected: [
      "crd.yaml spec.versions[1].storage",
      "objects are stored in v2 from now on, and were in v1",
      "keep v1 in the definition until every Winch was written again and status.storedVersions no longer has v1",
    ],
  },
  CRD109: {
    before: { versions: { v1: "served storage", v2: "served" } },
    after: { versions: { v1: "storage", v2: "served" } },
    expected: [
      "crd.yaml spec.versions[0].served",
      "objects are stored in v1, which is not served",
      "write storage: true at a version that is served, or serve v1",
    ],
  },
  CRD110: {
    before: { versions: { ...V1, v2: "served" }, webhook: true, source: "old.yaml" },
    after: { versions: { ...V1, v2: "served" }, spec: { conversion: { strategy: "None" } } },
    expected: [
      "old.yaml spec.conversion",
      "a webhook converted objects between versions, and no longer does",
      "keep spec.conversion until all objects are stored in one version and the schemas of the served versions are alike",
    ],
  },
  CRD119: {
    before: {
      versions: { v1: { flags: "", schema: spec({ rope: { type: "string" } }) }, v2: "served storage" },
      stored: ["v1", "v2"],
      webhook: true,
      source: "old.yaml",
    },
    after: { versions: { v1: { flags: "", schema: spec({ rope: { type: "string" } }) }, v2: "served storage" } },
    expected: [
      "old.yaml spec.conversion",
      "objects may be stored in v1, which only the webhook converted to v2; without it, what v2 does not have is lost",
      "in this order: (1) keep spec.conversion in this bundle; (2) write every stored Winch again, unchanged, so that it is stored in v2; (3) take v1 out of status.storedVersions of winches.harbour.example.com; (4) ship the bundle without spec.conversion",
    ],
  },
  CRD111: {
    before: { versions: V1 },
    after: { versions: V1, webhook: true },
    given: { objects: [] },
    expected: [
      "crd.yaml spec.conversion",
      "a webhook converts objects between versions: each was checked in the version in which it was given only",
      "give the objects in every version that is served, to check what the webhook makes of them",
    ],
  },
  CRD112: {
    before: {
      versions: { v1: { flags: "served storage", schema: PLAIN, more: { subresources: { status: {}, scale: {} } } } },
    },
    after: { versions: { v1: { flags: "served storage", schema: PLAIN, more: { subresources: { scale: {} } } } } },
    expected: [
      "crd.yaml spec.versions[0].subresources",
      "v1 no longer has the subresource status",
      "write subresources.status at v1 again",
    ],
  },
  CRD113: {
    before: { versions: V1 },
    after: { versions: { ...V1, v2: { flags: "served", schema: spec({ brake: { type: "string" }, rope: {} }) } } },
    expected: [
      "crd.yaml spec.versions[1].schema.openAPIV3Schema.properties.spec.properties.rope",
      "v2 has .spec.rope, but objects are stored in v1, which does not",
      "add it to the schema of v1, write storage: true at v2 instead, or convert objects by a webhook",
    ],
  },
  CRD114: {
    before: {
      versions: { v1: { flags: "served storage", more: { subresources: { scale: { specReplicasPath: ".spec.a" } } } } },
    },
    after: {
      versions: { v1: { flags: "served storage", more: { subresources: { scale: { specReplicasPath: ".spec.b" } } } } },
    },
    expected: [
      "crd.yaml spec.versions[0].subresources",
      'specReplicasPath of the subresource scale of v1 is ".spec.b", and was ".spec.a"',
      'write specReplicasPath: ".spec.a" again, unless it is meant',
    ],
  },
  CRD115: {
    before: { versions: { v1: "", v2: "served storage" }, source: "old.yaml" },
    after: { versions: { v2: "served storage" } },
    expected: [
      "old.yaml spec.versions[0].name",
      "v1 is removed, and whether objects are stored in it is not known: status.storedVersions was not given",
      "look at the cluster (kubectl get customresourcedefinitions.apiextensions.k8s.io winches.harbour.example.com -o jsonpath='{.status.storedVersions}') and name these versions with `crd check --stored`, or give the CRD of the cluster as the old one",
    ],
  },
  CRD116: {
    before: { versions: { v1: "served", v2: "served storage", v3: "served" } },
    after: { versions: { v1: "", v2: "served storage", v3: "served" } },
    expected: [
      "crd.yaml spec.versions[0].served",
      "v1 was served and no longer is",
      "make sure that every client uses v2 or v3, then accept it: by the severity of served-version-ends (--crd-settings)",
    ],
  },
  CRD117: {
    before: { versions: { v1: "", v2: "served storage" }, stored: ["v2"], source: "old.yaml" },
    after: { versions: { v2: "served storage" } },
    expected: [
      "old.yaml spec.versions[0].name",
      "v1, which was not served, is gone from the new CRD",
      "nothing: no object is stored in it, and no client could use it",
    ],
  },
  CRD118: {
    before: { versions: V1 },
    after: { versions: { v1: "storage" } },
    expected: ["crd.yaml spec.versions", "no version of Winch is served any more", "write served: true at v1"],
  },
  CRD301: {
    ...fields({ type: "string" }, { type: "string", enum: ["band"] }),
    given: { objects: [winch("old-faithful", "v1", { brake: "dog" })] },
    expected: [
      "old-faithful.yaml spec.brake",
      expect.stringMatching(
        /^winches "old-faithful" in namespace quay-north: \.spec\.brake must be .*"band".*"dog"/,
      ) as string,
      "change .spec.brake of the object before the upgrade, so that it is valid under both definitions; or let the schema of v1 allow it",
    ],
  },
  CRD302: {
    ...schemas(PLAIN, spec({})),
    given: { objects: [winch("old-faithful", "v1", { brake: "dog" })] },
    expected: [
      "old-faithful.yaml spec.brake",
      'winches "old-faithful" in namespace quay-north loses .spec.brake: the schema of v1 does not have it',
      "keep .spec.brake in the schema of v1, or copy its value to where the new operator looks for it before the upgrade",
    ],
  },
  CRD303: {
    ...both,
    given: { objects: [winch("old-faithful", "v1", { brake: 1 })] },
    expected: [
      "old-faithful.yaml spec.brake",
      expect.stringMatching(
        /^winches "old-faithful" in namespace quay-north was not valid before: \.spec\.brake must be /,
      ) as string,
      "fix .spec.brake of the object: as it is, the API server takes no change of it in v1",
    ],
  },
  CRD304: {
    ...both,
    given: { objects: [winch("old-faithful", "v0", { brake: "dog" })] },
    expected: [
      "old-faithful.yaml apiVersion",
      'winches "old-faithful" in namespace quay-north is given in v0, but the definition that is there has v1',
      "give the object in v1, or give the definition that is really on the cluster as the old one",
    ],
  },
};
