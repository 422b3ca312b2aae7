// Are packages of the command line understood, and slips explained?

import { expect, test } from "vitest";
import { parseNamedRequest } from "./named-request.ts";

test.each([
  ["etcd", { package: "etcd" }],
  ["harbour/etcd", { package: "etcd", catalog: { name: "harbour" } }],
  ["olm/harbour/etcd", { package: "etcd", catalog: { namespace: "olm", name: "harbour" } }],
  ["etcd:stable-4.x", { package: "etcd", channel: "stable-4.x" }],
  ["etcd@1.2.3", { package: "etcd", range: { text: "1.2.3" } }],
  [
    "a/etcd@>=1.0.0 <2.0.0 || 3.x:beta",
    { catalog: { name: "a" }, range: { text: ">=1.0.0 <2.0.0 || 3.x" }, channel: "beta" },
  ],
])("%s", (text, expected) => {
  expect(parseNamedRequest(text)).toMatchObject(expected);
});

test.each([
  ["", /names no package: write \[CATALOG\//],
  ["harbour/", /names no package/],
  ["@1.0.0", /names no package/],
  ["a/b/c/d", /"a\/b\/c\/d" has too many slashes: write .* NAMESPACE\/CATALOG\/PACKAGE/],
  ["olm/pantry/Etcd", /"Etcd" \(in "olm\/pantry\/Etcd"\) is not the name of a package/],
  ["/etcd", /catalog of "\/etcd" has no usable name/],
  ["Etcd", /"Etcd" is not the name of a package/],
  ["etcd.v1.0.0", /^"etcd.v1.0.0" is not the name of a package; did you mean etcd@1\.0\.0\?$/],
  [
    "harbour/etcd=1.x",
    /^"etcd=1.x" \(in "harbour\/etcd=1.x"\) is not the name of a package; did you mean etcd@1\.x\?$/,
  ],
  ["etcd=1..", /is not the name of a package, which has lower-case letters/],
  [`${"a".repeat(64)}`, /longer than 63/],
  ["etcd:", /no channel after the colon/],
  ["etcd@", /range of "etcd@" cannot be read/],
  ["etcd@^1.0.0", /range of "etcd@\^1\.0\.0" cannot be read/],
  ["etcd:stable@1.x", /write "etcd@1.x:stable"/],
  [`etcd:${"x".repeat(100_000)}`, /channel .* is longer than 253/],
  [`etcd@${"1".repeat(100_000)}`, /cannot be read/],
])("what is wrong with %j", (text, message) => {
  const request = parseNamedRequest(text);
  expect(request).toMatch(message);
  expect((request as string).length).toBeLessThan(400);
});
