// How is `dist/` made? The TypeScript compiler checks and writes the modules (for declarations and benchmarks, not packed); from
// `src/`, esbuild makes one bundle for each entry of the library, and the command in parts, so that `plimsoll version` loads
// almost nothing.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { buildCommand } from "./build-command.mjs";
import { buildLibrary } from "./build-library.mjs";
import { bundledLibraries, noticesOf } from "./notices.mjs";

const MODULES = "dist/modules";

rmSync("dist", { recursive: true, force: true });

const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
if (tsc.status !== 0) process.exit(1);
const library = await buildLibrary(MODULES);

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const { files: command } = await buildCommand(version);
chmodSync("dist/bin/plimsoll.js", 0o755);
writeFileSync("dist/THIRD-PARTY-NOTICES.txt", noticesOf(bundledLibraries([library, command])));
