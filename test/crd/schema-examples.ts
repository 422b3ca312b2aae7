// What do findings about schemas look like?

import { expect } from "vitest";
import { BRAKE, type Examples, fields, OLD_BRAKE, ROOT, schemas, V1 } from "./rule-example.ts";
import { PLAIN, spec } from "./winches.ts";

const added = "or write it in a new version only and leave v1 as it was";
const only = "or change it in a new version only and leave v1 as it was";

/** The rules about differences of schemas. */
export const SCHEMA_EXAMPLES: Examples<"CRD2"> = {
  CRD201: {
    ...fields({ type: "string" }, { type: "integer" }),
    expected: [
      `${BRAKE}.type`,
      expect.stringMatching(/^\.spec\.brake in v1: /) as string,
      `keep the type of .spec.brake and add another field for the new one, ${only}`,
    ],
  },
  CRD202: {
    ...schemas(PLAIN, spec({ brake: { type: "string" } }, { required: ["brake"] })),
    expected: [
      `${ROOT}.properties.spec.required[0]`,
      expect.stringMatching(/^\.spec\.brake in v1: must now be /) as string,
      `leave .spec.brake optional or give it a default, ${only}`,
    ],
  },
  CRD203: {
    ...fields({ type: "string", enum: ["band", "dog"] }, { type: "string", enum: ["band"] }),
    expected: [
      `${BRAKE}.enum`,
      '.spec.brake in v1: "dog" can no longer be chosen; allowed are "band"',
      `keep the old values of .spec.brake in enum and let the operator refuse or translate them, ${only}`,
    ],
  },
  CRD204: {
    ...fields({ type: "string" }, { type: "string", minLength: 2 }),
    expected: [
      `${BRAKE}.minLength`,
      ".spec.brake in v1: must now have at least 2 characters",
      `leave the lower bound of .spec.brake out, ${added}`,
    ],
  },
  CRD205: {
    ...fields({ type: "string", maxLength: 3 }, { type: "string", maxLength: 2 }),
    expected: [
      `${BRAKE}.maxLength`,
      ".spec.brake in v1: must now have at most 2 characters (was 3)",
      `keep the old upper bound of .spec.brake, ${only}`,
    ],
  },
  CRD206: {
    ...fields({ type: "string" }, { type: "string", pattern: "^b" }),
    expected: [
      `${BRAKE}.pattern`,
      '.spec.brake in v1: must now match "^b"',
      `leave the pattern of .spec.brake out and let the operator refuse other texts, ${added}`,
    ],
  },
  CRD207: {
    ...fields({ type: "string" }, { type: "string", default: "band" }),
    expected: [
      `${BRAKE}.default`,
      expect.stringContaining('the default is now "band"') as string,
      `leave the default of .spec.brake out, ${added}`,
    ],
  },
  CRD208: {
    ...fields({ type: "string", nullable: true }, { type: "string", nullable: false }),
    expected: [
      `${OLD_BRAKE}.nullable`,
      ".spec.brake in v1: null is no longer allowed",
      `keep nullable of .spec.brake as it was, ${only}`,
    ],
  },
  CRD209: {
    ...schemas(PLAIN, spec({})),
    expected: [
      OLD_BRAKE,
      ".spec.brake in v1: the field is no longer there",
      "keep .spec.brake in the schema of v1 and say in its description that it is no longer used; remove it in a new version only",
    ],
  },
  CRD210: {
    ...fields({ type: "string" }, { type: "string", oneOf: [{ minLength: 1 }] }),
    expected: [
      `${BRAKE}.oneOf`,
      expect.stringMatching(/^\.spec\.brake in v1: oneOf is new/) as string,
      "keep the old conditions of .spec.brake, or change them in a new version only and leave v1 as it was",
    ],
  },
  CRD211: {
    ...fields({ type: "object", additionalProperties: { type: "string" } }, { type: "object" }),
    expected: [
      `${OLD_BRAKE}.additionalProperties`,
      ".spec.brake in v1: other keys are no longer kept",
      `keep additionalProperties of .spec.brake as it was, ${only}`,
    ],
  },
  CRD212: {
    ...fields(
      { type: "array", items: { type: "string" } },
      { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    ),
    expected: [
      `${BRAKE}.x-kubernetes-list-type`,
      expect.stringMatching(/list type/) as string,
      "keep the list type and keys of .spec.brake, or change them in a new version only and leave v1 as it was",
    ],
  },
  CRD213: {
    ...fields({ type: "object" }, { type: "object", "x-kubernetes-map-type": "atomic" }),
    expected: [
      `${BRAKE}.x-kubernetes-map-type`,
      expect.stringMatching(/map type/) as string,
      `keep the map type of .spec.brake, ${only}`,
    ],
  },
  CRD214: {
    ...fields({ type: "string" }, { type: "string", format: "date" }),
    expected: [
      `${BRAKE}.format`,
      '.spec.brake in v1: must now have the format "date"',
      `leave the format of .spec.brake out, ${added}`,
    ],
  },
  CRD215: {
    before: { versions: V1, apiVersion: "v1beta1" },
    after: { versions: V1, spec: { preserveUnknownFields: false } },
    expected: [
      "crd.yaml spec.preserveUnknownFields",
      "fields that no schema names were kept, and are dropped from now on",
      "name every field that objects have in the schemas, or write x-kubernetes-preserve-unknown-fields: true where others are to stay",
    ],
  },
  CRD216: {
    ...fields({ type: "object" }, { type: "object", "x-kubernetes-embedded-resource": true }),
    expected: [
      `${BRAKE}.x-kubernetes-embedded-resource`,
      expect.stringMatching(/Kubernetes object/) as string,
      `keep x-kubernetes-embedded-resource of .spec.brake as it was, ${only}`,
    ],
  },
  CRD217: {
    ...fields({ "x-kubernetes-int-or-string": true }, { type: "string" }),
    expected: [
      expect.stringContaining(".properties.brake.") as string,
      expect.stringMatching(/^\.spec\.brake in v1: /) as string,
      `keep x-kubernetes-int-or-string of .spec.brake as it was, ${only}`,
    ],
  },
  CRD218: {
    ...fields({ type: "string" }, { type: "string", "x-kubernetes-validations": [{ rule: "self != ''" }] }),
    expected: [
      `${BRAKE}.x-kubernetes-validations[0]`,
      `.spec.brake in v1: must now keep the rule "self != ''"`,
      "let the rule of .spec.brake hold for unchanged values, too (self == oldSelf || …, with optionalOldSelf), or make sure that every object of v1 keeps it",
    ],
  },
  CRD219: {
    ...fields({ type: "integer" }, { type: "integer", multipleOf: 2 }),
    expected: [
      `${BRAKE}.multipleOf`,
      ".spec.brake in v1: must now be a multiple of 2",
      `leave the multipleOf of .spec.brake out, ${added}`,
    ],
  },
  CRD220: {
    ...fields(
      { type: "array", items: { type: "string" } },
      { type: "array", items: { type: "string" }, uniqueItems: true },
    ),
    expected: [
      `${BRAKE}.uniqueItems`,
      ".spec.brake in v1: the items must now differ from each other",
      `leave uniqueItems of .spec.brake out, ${only}`,
    ],
  },
  CRD299: {
    ...fields({ type: "string" }, { type: "string", "x-other": 1 }),
    expected: [
      `${BRAKE}.x-other`,
      '.spec.brake in v1: "x-other" is now 1 (was not there)',
      "look up what it means to the API server; if it is fine for .spec.brake in v1, say so by the severity of unknown-difference",
    ],
  },
};
