// How is `dist/` made? The library by the TypeScript compiler (one file a module, with declarations), the command by
// esbuild (split, so that `plimsoll version` loads almost nothing), both from `src/`.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { buildCommand } from "./build-command.mjs";

rmSync("dist", { recursive: true, force: true });

const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
if (tsc.status !== 0) process.exit(1);

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
await buildCommand(version);
chmodSync("dist/bin/plimsoll.js", 0o755);
