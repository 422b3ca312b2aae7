// Which mistakes does a compiler find in a program that uses the package? With the oldest supported TypeScript, and the current one.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The compilers by the name of their package. */
export const COMPILERS = ["typescript-5.4", "typescript"] as const;

/** How a program may find the package. */
export const RESOLUTIONS = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
] as const;

/** What `tsc` prints about the files of a folder in which the package is installed: nothing, if all is well. */
export function compilerOutput(
  folder: string,
  files: readonly string[],
  compiler: (typeof COMPILERS)[number],
  resolution: (typeof RESOLUTIONS)[number],
): string {
  const compilerOptions = {
    ...resolution,
    target: "es2022",
    lib: ["es2023", "dom"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  };
  const config = join(folder, `tsconfig-${compiler}-${resolution.moduleResolution}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const { stdout, stderr } = spawnSync(process.execPath, [resolve("node_modules", compiler, "bin/tsc"), "-p", config], {
    encoding: "utf8",
  });
  return stdout + stderr;
}
