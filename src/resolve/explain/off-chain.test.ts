// Is the entry named that keeps a bundle off the chains of its channels?

import { expect, test } from "vitest";
import { bundle } from "../../../test/catalog/lantern-catalog.ts";
import { explanationText } from "../../../test/explanations/explanation-text.ts";
import { request, scene, stocked } from "../../../test/worlds/scene.ts";
import type { JsonObject } from "../../model/json.ts";
import { readVersion } from "../../semver/version.ts";
import { explain } from "./subject.ts";

function explainVersion(version: string, ...channels: readonly JsonObject[]): string {
  const versions = ["1.0.0", "1.1.0", "2.0.0"].map((one) => bundle("b", one));
  const owner = { schema: "olm.package", name: "b", defaultChannel: "stable" };
  const catalogs = [stocked({}, {}, [owner, ...channels, ...versions])];
  const problem = scene({ catalogs, requests: [request("b")] });
  const subject = { package: "b", version: readVersion(version) };
  return explanationText(explain(problem, subject).explanation);
}

const channel = (name: string, ...entries: readonly JsonObject[]): JsonObject => ({
  schema: "olm.channel",
  package: "b",
  name,
  entries: [...entries],
});

test("the entries that skip it, in each channel", () => {
  const skipped = [{ name: "b.v1.1.0", replaces: "b.v1.0.0" }, { name: "b.v1.0.0" }];
  const stable = channel("stable", { name: "b.v2.0.0", skips: ["b.v1.1.0", "b.v1.0.0"] }, ...skipped);
  const fast = channel("fast", { name: "b.v2.0.0", replaces: "b.v1.1.0", skips: ["b.v1.0.0"] }, ...skipped);
  expect(explainVersion("1.1.0", stable)).toBe(
    "It is not on the upgrade chain of any channel: in channel stable b 2.0.0 skips it. Only a request for exactly this version can get it.",
  );
  expect(explainVersion("1.0.0", stable, fast)).toBe(
    "It is not on the upgrade chain of any channel: in channel fast b 2.0.0 skips it, in channel stable b 2.0.0 skips it. Only a request for exactly this version can get it.",
  );
});
