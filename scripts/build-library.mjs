// Which files make up the library? One bundle for each entry of the package; what several entries share is in chunks, so that a
// class is the same whichever entry it came from. The declarations are bundled alike.
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/** The entries of the package: the name of the file in `dist/`, and of the source in `src/`. */
export const ENTRIES = ["index", "cel", "node"];

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));

/** Bundles the modules that the TypeScript compiler wrote to `modules`. */
export async function buildLibrary(modules) {
  await build({
    entryPoints: ENTRIES.map((name) => `src/${name}.ts`),
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    external: [...Object.keys(dependencies), "node:*"],
    legalComments: "none",
    logLevel: "warning",
  });
  const declarations = await rollup({
    input: Object.fromEntries(ENTRIES.map((name) => [name, `${modules}/${name}.d.ts`])),
    external: [/^node:/, ...Object.keys(dependencies)],
    plugins: [dts()],
  });
  await declarations.write({ dir: "dist", format: "es", chunkFileNames: "chunks/types-[hash].d.ts" });
  await declarations.close();
}
