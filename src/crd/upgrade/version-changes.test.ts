// Which versions are removed, and what is reported about them? What is not known about stored versions, versions that stop being
// served, and versions that always have to be served.

import { describe, expect, test } from "vitest";
import { checkUpgrade } from "../../../test/crd/in-words.ts";
import { definition, user, type WrittenDefinition } from "../../../test/crd/winches.ts";
import { type Circumstances, NOTHING_KNOWN } from "./circumstances.ts";

type Versions = WrittenDefinition["versions"];

const SERVED: Versions = { v1alpha1: "served", v1: "served storage" };
const UNSERVED: Versions = { v1alpha1: "", v1: "served storage" };
const REMOVED: Versions = { v1: "served storage" };

/** The findings, as `code severity version`. */
function findingLines(
  before: WrittenDefinition | undefined,
  after: WrittenDefinition | undefined,
  given: Partial<Circumstances> = {},
): readonly string[] {
  const found = checkUpgrade(before && definition(before), after && definition(after), { ...NOTHING_KNOWN, ...given });
  return found.map(({ code, severity, version }) => `${code} ${severity} ${version}`.trim());
}

describe("a version goes, and status.storedVersions is not known", () => {
  test("is a warning for any number of owners, also beside the error that it was served", () => {
    for (const owners of [1, 2]) {
      expect(findingLines({ versions: UNSERVED }, { versions: REMOVED }, { owners })).toEqual([
        "CRD115 warning v1alpha1",
      ]);
      expect(findingLines({ versions: SERVED }, { versions: REMOVED }, { owners })).toEqual([
        "CRD102 error v1alpha1",
        "CRD115 warning v1alpha1",
      ]);
    }
  });

  test("a generated status without any version is ignored", () => {
    expect(findingLines({ versions: UNSERVED, stored: [] }, { versions: REMOVED })).toEqual([
      "CRD115 warning v1alpha1",
    ]);
  });

  test("is not reported for the storage version, in which objects are certainly stored", () => {
    const before = { v1alpha1: "storage", v1: "served" };
    expect(findingLines({ versions: before }, { versions: REMOVED })).toEqual([
      "CRD108 info v1",
      "CRD101 error v1alpha1",
    ]);
  });

  test("is not reported if stored versions are known, by the status or by hand", () => {
    expect(findingLines({ versions: UNSERVED, stored: ["v1"] }, { versions: REMOVED })).toEqual([
      "CRD117 info v1alpha1",
    ]);
    expect(findingLines({ versions: UNSERVED }, { versions: REMOVED }, { stored: ["v1"] })).toEqual([
      "CRD117 info v1alpha1",
    ]);
    expect(findingLines({ versions: UNSERVED }, { versions: REMOVED }, { stored: ["v1", "v1alpha1"] })).toEqual([
      "CRD101 error v1alpha1",
    ]);
  });

  test("the help names where the stored versions are found, and the flag", () => {
    const [finding] = checkUpgrade(
      definition({ versions: UNSERVED }),
      definition({ versions: REMOVED }),
      NOTHING_KNOWN,
    );
    expect(finding?.help).toContain("--stored");
    expect(finding?.help).toContain(
      "kubectl get customresourcedefinitions.apiextensions.k8s.io winches.harbour.example.com",
    );
  });
});

describe("a version is no longer served", () => {
  test("is a warning for any number of owners; OLM allows it", () => {
    for (const owners of [1, 2])
      expect(findingLines({ versions: SERVED }, { versions: UNSERVED }, { owners })).toEqual([
        "CRD116 warning v1alpha1",
      ]);
    expect(findingLines({ versions: SERVED }, { versions: UNSERVED }, { compat: true })).toEqual([
      "CRD116 info v1alpha1",
    ]);
  });

  test("is not reported for a version that was not served, or is added without being served", () => {
    expect(findingLines({ versions: UNSERVED }, { versions: UNSERVED })).toEqual([]);
    expect(findingLines({ versions: REMOVED }, { versions: UNSERVED })).toEqual([]);
  });
});

describe("no version is served any more", () => {
  const NONE: Versions = { v1alpha1: "", v1: "storage" };

  test("is an error for any number of owners, reported once", () => {
    for (const owners of [1, 2])
      expect(findingLines({ versions: SERVED }, { versions: NONE }, { owners })).toEqual([
        "CRD118 error",
        "CRD109 warning v1",
      ]);
  });

  test("OLM does not look", () => {
    expect(findingLines({ versions: SERVED }, { versions: NONE }, { compat: true })).toContain("CRD118 info");
  });

  test("is not reported if none was served before: it is no change", () => {
    expect(findingLines({ versions: NONE }, { versions: NONE })).not.toContain("CRD118 error");
  });
});

describe("a version that has to be served", () => {
  const demanded = [user("a client (--requires)", "v1alpha1")];
  const unservedMessages = (before: Versions | undefined, after: Versions | undefined) =>
    checkUpgrade(before && definition({ versions: before, stored: ["v1"] }), after && definition({ versions: after }), {
      ...NOTHING_KNOWN,
      demanded,
    })
      .filter(({ code }) => code === "CRD103")
      .map(({ message }) => message);

  test("is an error where the new CRD does not serve it, also if the old one did not", () => {
    const start = "a client (--requires) requires Winch v1alpha1, ";
    expect(unservedMessages(SERVED, UNSERVED)).toEqual([`${start}which the new CRD no longer serves`]);
    expect(unservedMessages(UNSERVED, UNSERVED)).toEqual([`${start}which the new CRD does not serve`]);
    expect(unservedMessages(UNSERVED, REMOVED)).toEqual([`${start}which the new CRD does not have`]);
    expect(unservedMessages(REMOVED, UNSERVED)).toEqual([`${start}which the new CRD does not serve`]);
    expect(unservedMessages(undefined, UNSERVED)).toEqual([`${start}which the new CRD does not serve`]);
    expect(unservedMessages(UNSERVED, undefined)).toEqual([
      `${start}but winches.harbour.example.com is no longer there`,
    ]);
  });

  test("is fine where it is served", () => {
    expect(unservedMessages(SERVED, SERVED)).toEqual([]);
    expect(unservedMessages(UNSERVED, SERVED)).toEqual([]);
    expect(unservedMessages(undefined, SERVED)).toEqual([]);
  });

  test("nothing is reported for a version that neither has", () => {
    expect(unservedMessages(REMOVED, REMOVED)).toEqual([]);
  });

  test("an operator that stays was broken before where the version was not served", () => {
    const requiredBy = [user("crane-yard.v1.4.0", "v1alpha1")];
    const stored = ["v1"];
    expect(findingLines({ versions: UNSERVED, stored }, { versions: REMOVED }, { requiredBy })).toEqual([
      "CRD117 info v1alpha1",
    ]);
  });
});
