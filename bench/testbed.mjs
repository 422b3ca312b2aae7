// How does a bench use the servers and documents of the tests? They are TypeScript: the wanted files of test/ are bundled into one module.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** The exports of some files of test/; the module is written into `folder`. */
export async function testbed(folder, parts) {
  const outfile = join(folder, "testbed.mjs");
  const contents = parts.map((part) => `export * from "./test/${part}.ts";`).join("\n");
  const stdin = { contents, resolveDir: resolve("."), loader: "ts" };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", logLevel: "warning" });
  return import(pathToFileURL(outfile).href);
}
