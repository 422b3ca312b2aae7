// Which labels of an image name a directory? One that no layer can have is refused, not looked for.

import { expect, test } from "vitest";
import { NetFailure } from "../net/failure.ts";
import { contentOf } from "./image-content.ts";

const CONFIGS = "operators.operatorframework.io.index.configs.v1";

test.for(["/", "a/../b", `/${"x".repeat(70_000)}`])("a label that is no directory: %.20s", (written) => {
  const labels = new Map([[CONFIGS, written]]);
  expect(() => contentOf({ labels }, "quay.io/harbour/catalog:v1")).toThrow(NetFailure);
});
