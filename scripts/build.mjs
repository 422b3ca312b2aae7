// How is `dist/` made? The library by the TypeScript compiler (one file a module, with declarations), the command by
// esbuild (split, so that `plimsoll version` loads almost nothing), both from `src/`.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });

const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
if (tsc.status !== 0) process.exit(1);

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
await build({
  entryPoints: { plimsoll: "src/cli/main.ts" },
  outdir: "dist/bin",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  // Less text is read faster; names stay, for whoever reads a stack.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  define: { PLIMSOLL_VERSION: JSON.stringify(version) },
  banner: {
    // The command line parser is CommonJS and asks for Node's modules with `require`.
    js: `#!/usr/bin/env node
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);`,
  },
  logLevel: "warning",
});
chmodSync("dist/bin/plimsoll.js", 0o755);
