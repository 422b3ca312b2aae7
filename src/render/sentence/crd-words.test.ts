// Where does the operator run that a finding about a CRD names?

import { expect, test } from "vitest";
import { CLUSTER_SCOPE } from "../../model/problem.ts";
import { userText } from "./crd-words.ts";

test.each([
  [undefined, "crane 1.4.0"],
  ["quay", "crane 1.4.0 in quay"],
  [CLUSTER_SCOPE, "crane 1.4.0 of a ClusterExtension"],
])("%j", (userIn, text) => {
  expect(userText({ user: "crane 1.4.0", userIn })).toBe(text);
});
