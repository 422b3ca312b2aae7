// What must be there before a command of package.json can run? Installs the dependencies and builds `dist/`, each only
// when something changed since the last time. Uses nothing but Node, so it works in a fresh clone.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`plimsoll needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** A digest of the content of files and of all files below directories. */
function digest(paths) {
  const hash = createHash("sha256");
  const visit = (path, isDirectory) => {
    if (isDirectory) {
      const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const entry of entries) visit(join(path, entry.name), entry.isDirectory());
    } else hash.update(path).update("\0").update(readFileSync(path)).update("\0");
  };
  for (const path of paths) visit(path, path === "src");
  return hash.digest("hex");
}

/** Runs `work` unless `stamp` says that it was done for the same `inputs`. */
function once(stamp, inputs, what, work) {
  const wanted = digest(inputs);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.error(`plimsoll: ${what}…`);
  work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

function run(command, args) {
  const result = spawnSync(command, args, { stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (result.status !== 0) {
    console.error(`plimsoll: "${command} ${args.join(" ")}" failed; its output is above.`);
    process.exit(1);
  }
}

once("node_modules/.plimsoll-installed", ["package-lock.json", "package.json"], "installing dependencies", () =>
  run("npm", ["ci", "--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error"]),
);
once(
  "dist/.plimsoll-built",
  ["src", "scripts/build.mjs", "tsconfig.json", "tsconfig.build.json", "package-lock.json"],
  "building",
  () => run(process.execPath, ["scripts/build.mjs"]),
);
