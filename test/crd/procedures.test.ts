// Are the procedures of seed 004 safe step by step, and is each step that is left out or done too early reported by the
// finding that names it? Adding a version, deprecating one, moving the storage, removing one.

import { describe, expect, test } from "vitest";
import { type Circumstances, NOTHING_KNOWN } from "../../src/crd/upgrade/circumstances.ts";
import type { CustomResourceDefinition } from "../../src/model/custom-resource.ts";
import { checkUpgrade, type FindingInWords } from "./in-words.ts";
import { definition, user, type WrittenDefinition } from "./winches.ts";

type Written = WrittenDefinition["versions"];

/** Versions in `apiextensions.k8s.io/v1`, or in v1beta1 with `version` as the first of them. */
const FORMS = {
  v1: (versions: Written, stored: readonly string[]) => definition({ versions, stored }),
  v1beta1: (versions: Written, stored: readonly string[]) =>
    definition({
      versions,
      stored,
      apiVersion: "v1beta1",
      spec: { version: Object.keys(versions)[0] ?? "", preserveUnknownFields: false },
    }),
} as const;

const OLD: Written = { v1alpha1: "served storage" };
const ADDED: Written = { v1beta1: "served storage", v1alpha1: "served" };
const ADDED_ONLY: Written = { v1alpha1: "served storage", v1beta1: "served" };
const UNSERVED: Written = { v1beta1: "served storage", v1alpha1: "" };
const REMOVED: Written = { v1beta1: "served storage" };

const BOTH = ["v1alpha1", "v1beta1"];
const CSV = "winch.v2.0.0";
const owns = (...versions: readonly string[]) => versions.map((version) => user(CSV, version));

interface Codes {
  readonly errors: readonly string[];
  readonly others: readonly string[];
}

const isError = ({ severity }: FindingInWords): boolean => severity === "error";
const nameOf = ({ code, version }: FindingInWords): string => `${code} ${version}`;

describe.each(["v1", "v1beta1"] as const)("definitions of %s", (form) => {
  const make = FORMS[form];
  /** Errors of a step, by code and version, and all other findings; the number of owners makes no difference. */
  function step(
    before: CustomResourceDefinition,
    after: CustomResourceDefinition,
    more: Partial<Circumstances> = {},
  ): Codes {
    const codesWith = (owners: number): Codes => {
      const found = checkUpgrade(before, after, { ...NOTHING_KNOWN, owners, ...more });
      const [errors, others] = [found.filter(isError), found.filter((finding) => !isError(finding))];
      return { errors: errors.map(nameOf), others: others.map(nameOf) };
    };
    expect(codesWith(2)).toEqual(codesWith(1));
    return codesWith(1);
  }
  const safe = (others: readonly string[] = []) => ({ errors: [], others });

  describe("add a version", () => {
    const before = make(OLD, ["v1alpha1"]);

    test("as it is recommended", () => {
      expect(step(before, make(ADDED, ["v1alpha1"]), { owned: owns("v1beta1") })).toEqual(safe(["CRD108 v1beta1"]));
    });

    test("without moving the storage yet", () => {
      expect(step(before, make(ADDED_ONLY, ["v1alpha1"]), { owned: owns("v1alpha1", "v1beta1") })).toEqual(safe());
    });

    test("both versions are the storage version", () => {
      const both = make({ v1beta1: "served storage", v1alpha1: "served storage" }, ["v1alpha1"]);
      expect(step(before, both).errors).toEqual(["CRD001 "]);
    });

    test("neither is", () => {
      expect(step(before, make({ v1beta1: "served", v1alpha1: "served" }, [])).errors).toEqual(["CRD001 "]);
    });

    test("the ClusterServiceVersion is ahead of the definition", () => {
      expect(step(before, before, { owned: owns("v1beta1") }).errors).toEqual(["CRD003 v1beta1"]);
    });

    test("the new version is not served", () => {
      const unserved = make({ v1alpha1: "served storage", v1beta1: "" }, ["v1alpha1"]);
      expect(step(before, unserved, { owned: owns("v1beta1") }).errors).toEqual(["CRD004 v1beta1"]);
    });

    test("the old version is replaced instead of being kept", () => {
      expect(step(before, make(REMOVED, ["v1alpha1"])).errors).toEqual(["CRD101 v1alpha1", "CRD102 v1alpha1"]);
    });
  });

  describe("deprecate a version", () => {
    const before = make(ADDED, ["v1beta1"]);

    test("as it is recommended: it is marked first, and no longer served in the next step", () => {
      const marked = make(
        { ...ADDED, v1alpha1: { flags: "served", schema: before.versions[0]?.schema, more: { deprecated: true } } },
        ["v1beta1"],
      );
      expect(step(before, marked, { owned: owns("v1beta1") })).toEqual(safe());
      expect(step(marked, make(UNSERVED, ["v1beta1"]), { owned: owns("v1beta1") })).toEqual(safe(["CRD116 v1alpha1"]));
    });

    test("an operator still requires it", () => {
      const requiredBy = [user("crane-yard.v1.4.0 in quay-south", "v1alpha1")];
      expect(step(before, make(UNSERVED, ["v1beta1"]), { requiredBy }).errors).toEqual(["CRD103 v1alpha1"]);
    });

    test("another owner still works with it", () => {
      const ownedBy = [user("winch.v1.0.0 in quay-south", "v1alpha1")];
      expect(step(before, make(UNSERVED, ["v1beta1"]), { ownedBy }).errors).toEqual(["CRD106 v1alpha1"]);
    });

    test("the ClusterServiceVersion still owns it", () => {
      expect(step(before, make(UNSERVED, ["v1beta1"]), { owned: owns("v1alpha1", "v1beta1") }).errors).toEqual([
        "CRD004 v1alpha1",
      ]);
    });

    test("it is still the storage version: allowed as an intermediate step, but reported", () => {
      const old = make(ADDED_ONLY, ["v1alpha1"]);
      const between = make({ v1alpha1: "storage", v1beta1: "served" }, ["v1alpha1"]);
      expect(step(old, between)).toEqual(safe(["CRD109 v1alpha1", "CRD116 v1alpha1"]));
    });
  });

  describe("switch the storage version", () => {
    const before = make(ADDED_ONLY, ["v1alpha1"]);

    test("as it is recommended", () => {
      expect(step(before, make(ADDED, ["v1alpha1"]))).toEqual(safe(["CRD108 v1beta1"]));
    });

    test("together with the end of the old version, as in the example", () => {
      expect(step(before, make(UNSERVED, ["v1alpha1"]))).toEqual(safe(["CRD108 v1beta1", "CRD116 v1alpha1"]));
    });

    test("the old one is not switched off", () => {
      const both = make({ v1alpha1: "served storage", v1beta1: "served storage" }, ["v1alpha1"]);
      expect(step(before, both).errors).toEqual(["CRD001 "]);
    });

    test("to a version that is not served", () => {
      const unserved = make({ v1alpha1: "served", v1beta1: "storage" }, ["v1alpha1"]);
      expect(step(before, unserved).others).toEqual(["CRD108 v1beta1", "CRD109 v1beta1", "CRD116 v1beta1"]);
    });
  });

  describe("remove a version", () => {
    const removed = make(REMOVED, []);

    test("as it is recommended, all the way", () => {
      const csv = { owned: owns("v1beta1") };
      expect(step(make(OLD, ["v1alpha1"]), make(ADDED, []), csv)).toEqual(safe(["CRD108 v1beta1"]));
      expect(step(make(ADDED, BOTH), make(UNSERVED, []), csv)).toEqual(safe(["CRD116 v1alpha1"]));
      // Every stored object was written again, then status.storedVersions was patched.
      expect(step(make(UNSERVED, ["v1beta1"]), removed, csv)).toEqual(safe(["CRD117 v1alpha1"]));
      expect(step(make(UNSERVED, BOTH), removed, { ...csv, stored: ["v1beta1"] })).toEqual(safe(["CRD117 v1alpha1"]));
    });

    test("while it is not known whether objects are stored in it", () => {
      expect(step(make(UNSERVED, []), removed)).toEqual(safe(["CRD115 v1alpha1"]));
    });

    test("and with it the last one that is served", () => {
      const none = make({ v1beta1: "storage" }, []);
      expect(step(make(UNSERVED, ["v1beta1"]), none).errors).toEqual(["CRD118 "]);
    });

    test("while it is served", () => {
      expect(step(make(ADDED, ["v1beta1"]), removed).errors).toEqual(["CRD102 v1alpha1"]);
    });

    test("while objects may be stored in it", () => {
      expect(step(make(UNSERVED, BOTH), removed).errors).toEqual(["CRD101 v1alpha1"]);
      expect(step(make(UNSERVED, ["v1beta1"]), removed, { stored: BOTH }).errors).toEqual(["CRD101 v1alpha1"]);
    });

    test("while it is the storage version, and the cluster has no stored versions", () => {
      const between = make({ v1alpha1: "storage", v1beta1: "served" }, []);
      expect(step(between, removed).errors).toEqual(["CRD101 v1alpha1"]);
    });

    test("while an operator requires it", () => {
      const requiredBy = [user("crane-yard.v1.4.0", "v1alpha1")];
      expect(step(make(ADDED, ["v1beta1"]), removed, { requiredBy }).errors).toEqual([
        "CRD102 v1alpha1",
        "CRD103 v1alpha1",
      ]);
    });

    test("while the ClusterServiceVersion owns it", () => {
      expect(step(make(UNSERVED, ["v1beta1"]), removed, { owned: owns("v1alpha1") }).errors).toEqual([
        "CRD003 v1alpha1",
      ]);
    });
  });
});

test("the version of a v1beta1 definition is the first of its versions", () => {
  const before = FORMS.v1beta1(OLD, ["v1alpha1"]);
  const wrong = definition({
    versions: ADDED,
    apiVersion: "v1beta1",
    spec: { version: "v1alpha1", preserveUnknownFields: false },
  });
  const found = checkUpgrade(before, wrong, NOTHING_KNOWN);
  expect(found.filter(isError)).toMatchObject([
    {
      code: "CRD002",
      message: "spec.version is v1alpha1, but the first of spec.versions is v1beta1",
      help: "move v1alpha1 to the top of spec.versions, or leave spec.version out",
      place: { path: ["spec", "version"] },
    },
  ]);
});

test("a v1beta1 definition that only names its version is one whose version is served and stored", () => {
  const single = definition({
    versions: {},
    apiVersion: "v1beta1",
    spec: { version: "v1alpha1", versions: [], preserveUnknownFields: false },
  });
  const errors = (after: CustomResourceDefinition) => checkUpgrade(single, after, NOTHING_KNOWN).filter(isError);
  expect(errors(FORMS.v1beta1(ADDED, []))).toEqual([]);
  expect(errors(FORMS.v1(REMOVED, [])).map(({ code }) => code)).toEqual(["CRD101", "CRD102"]);
});
