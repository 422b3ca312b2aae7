// Can the webhook hold up a write? Its configuration says how long an API server waits for it, and what happens then. Tests on real servers
// wait longer, for busy machines; that the chart has the same configuration is tested there.

import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";

test("an API server waits three seconds at most, and then the write passes", () => {
  const [configuration] = documentsOf("deploy/webhook/configuration.yaml");
  const webhooks = configuration?.webhooks as readonly JsonObject[];
  expect(
    webhooks.map(({ name, failurePolicy, timeoutSeconds, sideEffects }) => [
      name,
      failurePolicy,
      timeoutSeconds,
      sideEffects,
    ]),
  ).toEqual([
    ["constraints.plimsoll.dev", "Ignore", 3, "None"],
    ["placements.plimsoll.dev", "Ignore", 3, "None"],
  ]);
});
