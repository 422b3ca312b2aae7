// From where, and in which order, is an image pulled?
import { expect, test } from "vitest";
import { clusterMirrorRules, type MirrorRule, sourcesOf } from "./mirrors.ts";
import { type ImageReference, readImageReference, referenceText } from "./reference.ts";

const SHA = `sha256:${"a".repeat(64)}`;

function rule(source: string, mirrors: readonly string[], more: Partial<MirrorRule> = {}): MirrorRule {
  return {
    source,
    mirrors: mirrors.map((text) => {
      const [location = "", pulls = "all"] = text.split(" ");
      return { location, isInsecure: text.includes("insecure"), pulls: pulls as "all" | "digest" | "tag" };
    }),
    isBlocked: false,
    isInsecure: false,
    origin: "the test",
    ...more,
  };
}

function places(text: string, rules: readonly MirrorRule[]): readonly string[] {
  const { candidates, excluded } = sourcesOf(readImageReference(text) as ImageReference, rules);
  return [
    ...candidates.map(({ reference, isInsecure }) => `${referenceText(reference)}${isInsecure ? " insecure" : ""}`),
    ...excluded.map(({ location, reason }) => `${location}: ${reason}`),
  ];
}

test("without rules: itself", () => {
  expect(places("quay.io/a/b:v1", [])).toEqual(["quay.io/a/b:v1"]);
});

test("the mirrors of the longest prefix, in order, then the source", () => {
  const rules = [
    rule("quay.io", ["m.example"]),
    rule("quay.io/a", ["m.example:5000/x", "n.example"]),
    rule("quay.io/ab", ["wrong.example"]),
  ];
  expect(places("quay.io/a/b:v1", rules)).toEqual(["m.example:5000/x/b:v1", "n.example/b:v1", "quay.io/a/b:v1"]);
  expect(places("quay.io/abc/b:v1", rules)).toEqual(["m.example/abc/b:v1", "quay.io/abc/b:v1"]);
  expect(places("quay.io.evil.example/a/b:v1", rules)).toEqual(["quay.io.evil.example/a/b:v1"]);
  expect(places("other.example/a/b:v1", rules)).toEqual(["other.example/a/b:v1"]);
});

test("a prefix that is a repository, and a mirror with another name", () => {
  const rules = [rule("quay.io/a/b", ["m.example/renamed"])];
  expect(places(`quay.io/a/b:v1@${SHA}`, rules)[0]).toBe(`m.example/renamed:v1@${SHA}`);
  expect(places("quay.io/a/bc:v1", rules)).toEqual(["quay.io/a/bc:v1"]);
});

test("for digests only, for tags only", () => {
  const rules = [rule("quay.io", ["d.example digest", "t.example tag", "all.example"])];
  expect(places("quay.io/a:v1", rules)).toEqual(["t.example/a:v1", "all.example/a:v1", "quay.io/a:v1"]);
  expect(places(`quay.io/a@${SHA}`, rules)).toEqual([`d.example/a@${SHA}`, `all.example/a@${SHA}`, `quay.io/a@${SHA}`]);
});

test("wildcards: any name below a domain", () => {
  const rules = [rule("*.example.com", ["m.example/all"]), rule("a.example.com", ["m.example/one"])];
  expect(places("b.example.com/x/y:v1", rules)[0]).toBe("m.example/all/x/y:v1");
  expect(places("b.c.example.com/x/y:v1", rules)[0]).toBe("m.example/all/x/y:v1");
  // Both have the same length.
  expect(places("a.example.com/x:v1", rules)).toEqual(["m.example/one/x:v1", "a.example.com/x:v1"]);
  expect(places("example.com/x:v1", rules)).toEqual(["example.com/x:v1"]);
  expect(places("evil.io/b.example.com/x:v1", rules)).toEqual(["evil.io/b.example.com/x:v1"]);
});

test("another location of the source", () => {
  expect(places("quay.io/a/b:v1", [rule("quay.io/a", [], { location: "real.example/c" })])).toEqual([
    "real.example/c/b:v1",
  ]);
});

test("blocked: the source is not asked, its mirrors are; a mirror may be blocked, too", () => {
  const blocked = rule("quay.io", ["m.example"], { isBlocked: true });
  expect(places("quay.io/a:v1", [blocked])).toEqual(["m.example/a:v1", "quay.io/a:v1: it is blocked by the test"]);
  const both = [blocked, rule("m.example", [], { isBlocked: true, origin: "the other" })];
  expect(places("quay.io/a:v1", both)).toEqual([
    "m.example/a:v1: it is blocked by the other",
    "quay.io/a:v1: it is blocked by the test",
  ]);
});

test("insecure: the mirror, or the rule of the place", () => {
  const rules = [rule("quay.io", ["m.example all insecure", "n.example"]), rule("n.example", [], { isInsecure: true })];
  expect(places("quay.io/a:v1", rules)).toEqual(["m.example/a:v1 insecure", "n.example/a:v1 insecure", "quay.io/a:v1"]);
});

test("a mirror that is none, and the same twice", () => {
  expect(places("quay.io/a:v1", [rule("quay.io", ["https://m.example", "n.example", "n.example", "quay.io"])])).toEqual(
    [
      "n.example/a:v1",
      "quay.io/a:v1",
      "https://m.example/a:v1: it is not an image: an image has no https:// before its name",
    ],
  );
});

test("the objects of a cluster", () => {
  const set = {
    kind: "ImageDigestMirrorSet",
    metadata: { name: "mirrors" },
    spec: {
      imageDigestMirrors: [
        { source: "quay.io/a/", mirrors: ["m.example/a", 7, ""], mirrorSourcePolicy: "NeverContactSource" },
        { source: "", mirrors: ["x.example"] },
        { source: "quay.io/b", mirrors: ["quay.io/b"], mirrorSourcePolicy: "NeverContactSource" },
        "rubbish",
      ],
    },
  };
  const digests = clusterMirrorRules(set);
  expect(digests).toEqual([
    {
      source: "quay.io/a",
      mirrors: [{ location: "m.example/a", isInsecure: false, pulls: "digest" }],
      isBlocked: true,
      isInsecure: false,
      origin: 'the ImageDigestMirrorSet "mirrors"',
    },
  ]);
  const tags = clusterMirrorRules({
    kind: "ImageTagMirrorSet",
    spec: {
      imageTagMirrors: [{ source: "quay.io/a", mirrors: ["t.example"], mirrorSourcePolicy: "AllowContactingSource" }],
    },
  });
  const old = clusterMirrorRules({
    kind: "ImageContentSourcePolicy",
    spec: { repositoryDigestMirrors: [{ source: "quay.io/a", mirrors: ["o.example"] }] },
  });
  const all = [...digests, ...tags, ...old];
  expect(places(`quay.io/a/b@${SHA}`, all)).toEqual([
    `m.example/a/b@${SHA}`,
    `o.example/b@${SHA}`,
    `quay.io/a/b@${SHA}: it is blocked by the ImageDigestMirrorSet "mirrors"`,
  ]);
  expect(places("quay.io/a/b:v1", all)[0]).toBe("t.example/b:v1");
  for (const object of [undefined, null, 7, {}, { kind: "__proto__" }, { kind: "Pod" }])
    expect(clusterMirrorRules(object)).toEqual([]);
});
