// Is an image the same after it was kept, and is anything else refused?
import { expect, test } from "vitest";
import { packImage, unpackImage } from "./kept-image.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const IMAGE = {
  digest: DIGEST,
  labels: new Map([["operators.operatorframework.io.index.configs.v1", "/configs"]]),
  layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", digest: DIGEST, size: 7 }],
};

test("an image is the same after it was kept", () => {
  expect(unpackImage(packImage(IMAGE))).toEqual(IMAGE);
});

test.each([
  "",
  "null",
  "[]",
  "{}",
  JSON.stringify({ digest: DIGEST, labels: [], layers: {} }),
  JSON.stringify({ digest: DIGEST, labels: [["a", 1]], layers: [] }),
  JSON.stringify({ digest: DIGEST, labels: [], layers: [{ mediaType: "x", digest: "../../etc", size: 1 }] }),
  JSON.stringify({ digest: DIGEST, labels: [], layers: [{ mediaType: "x", digest: DIGEST, size: "1" }] }),
])("not %s", (text) => {
  expect(unpackImage(Buffer.from(text))).toBeUndefined();
});
