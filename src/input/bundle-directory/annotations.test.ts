// Are the annotations of a bundle directory understood, and is every one that is missing or wrong named?

import { describe, expect, it } from "vitest";
import type { Finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import type { PlacedDocument } from "../document.ts";
import { type BundleAnnotations, readAnnotations } from "./annotations.ts";

const PREFIX = "operators.operatorframework.io.bundle.";

function document(annotations: JsonObject, source = "annotations.yaml"): PlacedDocument {
  const pairs = Object.entries(annotations).map(([key, value]) => [`${PREFIX}${key}`, value] as const);
  return { value: { annotations: Object.fromEntries(pairs) }, place: { source, line: 1, column: 1 } };
}

function read(...metadata: readonly PlacedDocument[]): {
  readonly annotations: BundleAnnotations | undefined;
  readonly findings: readonly Finding[];
} {
  const findings: Finding[] = [];
  const directory = { name: "winch/1.0.0", manifests: [], metadata, hasUnreadable: false };
  const annotations = readAnnotations(directory, (item) => findings.push(item));
  return { annotations, findings };
}

function messages(...metadata: readonly PlacedDocument[]): readonly string[] {
  return read(...metadata).findings.map(({ code, message }) => `${code} ${message}`);
}

const GOOD = { "package.v1": "winch", "channels.v1": "stable" };

describe("annotations", () => {
  it("name the package, the channels and the default channel", () => {
    const { annotations, findings } = read(
      document({ ...GOOD, "channels.v1": " stable, fast ,,stable,", "channel.default.v1": "fast " }),
    );
    expect(findings).toEqual([]);
    expect(annotations).toMatchObject({ package: "winch", channels: ["stable", "fast"], defaultChannel: "fast" });
    expect(annotations?.place.path).toEqual(["annotations"]);
  });

  it("may leave the default channel and the media type out", () => {
    expect(read(document(GOOD)).annotations?.defaultChannel).toBeUndefined();
    expect(messages(document({ ...GOOD, "mediatype.v1": "registry+v1" }))).toEqual([]);
  });

  it.each([
    [{ "channels.v1": "stable" }, "package.v1 is missing"],
    [{ ...GOOD, "package.v1": " " }, "package.v1 is empty"],
    [{ "package.v1": "winch" }, "channels.v1 is missing"],
    [{ ...GOOD, "channels.v1": "" }, "channels.v1 is empty"],
    [{ ...GOOD, "channels.v1": " , ," }, "channels.v1 is empty"],
    [{ ...GOOD, "channels.v1": 4.1 }, "channels.v1 must be text, but is a number"],
    [{ ...GOOD, "channels.v1": ["stable"] }, "channels.v1 must be text, but is a list"],
    [{ ...GOOD, "channel.default.v1": "" }, "channel.default.v1 is empty"],
    [{ ...GOOD, "mediatype.v1": "plain+v0" }, 'mediatype.v1 is "plain+v0", but only registry+v1 can be read'],
  ])("%j: %s", (annotations, message) => {
    expect(messages(document(annotations as JsonObject))).toEqual([`PL080 the annotation ${PREFIX}${message}`]);
  });

  it("have a help text with the correct form", () => {
    const [missing] = read(document({ "package.v1": "winch" })).findings;
    expect(missing?.help).toBe(`write \`${PREFIX}channels.v1: stable\` under \`annotations\``);
    expect(missing?.place.path).toEqual(["annotations"]);
    const [number] = read(document({ ...GOOD, "channels.v1": 4.1 })).findings;
    expect(number?.help).toBe("put it in quotes");
    expect(number?.place.path).toEqual(["annotations", `${PREFIX}channels.v1`]);
  });

  it("may stand in two documents that agree", () => {
    const both = read(document({ "package.v1": "winch" }), document(GOOD, "more.yaml"));
    expect(both.findings).toEqual([]);
    expect(both.annotations).toMatchObject({ package: "winch", channels: ["stable"] });
    expect(messages(document(GOOD), document({ "package.v1": "crane" }, "more.yaml"))).toEqual([
      `PL080 the annotation ${PREFIX}package.v1 is given twice: "winch" and "crane"`,
    ]);
  });

  it("are missed where there are none", () => {
    const place = { source: "dependencies.yaml", line: 1, column: 1 };
    expect(messages({ value: { dependencies: [] }, place })).toEqual([
      "PL080 the bundle directory winch/1.0.0 has no annotations",
    ]);
    expect(messages({ value: { annotations: "none" }, place })).toEqual([
      "PL080 annotations must be an object, but is text",
    ]);
  });

  it("are bounded in their number of channels", () => {
    const many = document({ ...GOOD, "channels.v1": Array.from({ length: 100_000 }, (_, n) => `c${n}`).join() });
    expect(messages(many)).toEqual([`PL080 the annotation ${PREFIX}channels.v1 names more than 250 channels`]);
    expect(read(many).annotations?.channels).toHaveLength(250);
  });

  it("never come from a prototype", () => {
    const value = JSON.parse(`{"annotations": {"__proto__": {"${PREFIX}package.v1": "x"}}}`) as JsonObject;
    const place = { source: "annotations.yaml", line: 1, column: 1 };
    expect(messages({ value, place })).toContain(`PL080 the annotation ${PREFIX}package.v1 is missing`);
  });
});
