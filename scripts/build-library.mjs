// Which files make up the library? One bundle for each entry of the package; what several entries share is in chunks, so that a
// class is the same whichever entry it came from. The declarations are bundled alike.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/** The entries of the package: the name of the file in `dist/`, and of the source in `src/`. */
export const ENTRIES = ["index", "cel", "node"];

/** Modules that get files of their own, so that a bundler can leave them out. */
const APART = ["cel/library/extension-libraries", "cel/library/kubernetes-libraries", "cel/library/extension/network"];

/** What runs in threads of its own: a file that nothing imports, beside the chunk that starts it. */
const THREADS = ["source/package-reader"];

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));

/** Bundles the modules that the TypeScript compiler wrote to `modules`. Returns esbuild's metafile. */
export async function buildLibrary(modules) {
  const { metafile } = await build({
    entryPoints: Object.fromEntries(
      [...ENTRIES, ...APART, ...THREADS].map((name) => [
        ENTRIES.includes(name) ? name : `chunks/${basename(name)}`,
        `src/${name}.ts`,
      ]),
    ),
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    external: [...Object.keys(dependencies), "node:*"],
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  withoutBareImports("dist");
  withoutBareImports("dist/chunks");
  const declarations = await rollup({
    input: Object.fromEntries(ENTRIES.map((name) => [name, `${modules}/${name}.d.ts`])),
    external: [/^node:/, ...Object.keys(dependencies)],
    plugins: [dts()],
  });
  await declarations.write({ dir: "dist", format: "es", chunkFileNames: "chunks/types-[hash].d.ts" });
  await declarations.close();
  return metafile;
}

/** Modules here only define things, so that none is imported for its effects. esbuild would print a warning when the package is bundled. */
function withoutBareImports(folder) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".js"))) {
    const path = `${folder}/${name}`;
    writeFileSync(path, readFileSync(path, "utf8").replace(/^import "\.\/[^"]+";\n/gm, ""));
  }
}
