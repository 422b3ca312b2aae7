import { describe, expect, test } from "vitest";
import { bodyOf, constraintsMap, placement, review, UID } from "../../test/webhook/review-body.ts";
import { reviewed } from "./review.ts";

const SETTING = { configMap: { namespace: "olm", name: "olm-runtime-constraints" }, compat: false };

describe("a request goes to the review of its kind", () => {
  test("a ConfigMap", () => {
    expect(reviewed(bodyOf(review({ object: constraintsMap("[]") })), SETTING)).toEqual({
      ...{ is: "judged", uid: UID, kind: "ConfigMap" },
      ...{ verdict: { warnings: [] }, proposed: { text: "[]" } },
    });
  });

  test("a Placement, also for OCM", () => {
    const body = bodyOf(review({ kind: "Placement", object: placement({ labelSelector: {} }) }));
    const denial = expect.stringContaining("1 mistake");
    expect(reviewed(body, SETTING)).toMatchObject({ is: "judged", uid: UID, kind: "Placement", verdict: { denial } });
    expect(reviewed(body, { ...SETTING, compat: true })).toMatchObject({ verdict: { warnings: [expect.any(String)] } });
  });

  test.each([
    ["", "Secret"],
    ["example.com", "ConfigMap"],
    ["example.com", "Placement"],
    ["cluster.open-cluster-management.io", "PlacementDecision"],
  ])("anything else is allowed: %s %s", (group, kind) => {
    const body = bodyOf(review({ object: constraintsMap("{"), more: { kind: { group, version: "v1", kind } } }));
    expect(reviewed(body, SETTING)).toEqual({ is: "judged", uid: UID, kind: "other", verdict: { warnings: [] } });
  });
});

test("what is no review is said to be none", () => {
  expect(reviewed(bodyOf({}), SETTING)).toEqual({
    is: "unreadable",
    why: expect.stringContaining("no AdmissionReview"),
  });
});

test("the result can cross threads", () => {
  for (const object of [constraintsMap("[]"), constraintsMap("{"), null]) {
    const result = reviewed(bodyOf(review({ object })), SETTING);
    expect(structuredClone(result)).toEqual(result);
  }
});
