// How fast are Kubernetes' own validation and crdify? Go programs are built and asked; without Go there is nothing to
// compare with.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** CPU time to validate objects under a schema; undefined when Go is not there. */
export function apiextensions(schema, objects) {
  return ask(
    "apiextensions",
    /k8s\.io\/apiextensions-apiserver (v\S+)/,
    JSON.stringify({ schema, objects, rounds: 1 }),
    [],
  );
}

/** CPU time to check pairs of definitions; undefined when Go is not there. */
export function crdify(pairs) {
  const lines = pairs.map(({ before, after }, id) => JSON.stringify({ id: String(id), old: before, new: after }));
  return ask("crdify", /sigs\.k8s\.io\/crdify (v\S+)/, `${lines.join("\n")}\n`, ["--rounds", "1"]);
}

function ask(name, version, input, more) {
  const folder = fileURLToPath(new URL(`../peers/${name}/`, import.meta.url));
  const work = mkdtempSync(join(tmpdir(), `plimsoll-${name}-`));
  try {
    const program = join(work, name);
    const built = spawnSync("go", ["build", "-o", program, "."], { cwd: folder, stdio: ["ignore", 2, 2] });
    if (built.status !== 0) return undefined;
    const file = join(work, "input.json");
    writeFileSync(file, input);
    const ran = spawnSync(program, ["--bench", file, ...more], { encoding: "utf8", stdio: ["ignore", "pipe", 2] });
    if (ran.status !== 0) return undefined;
    return { ...JSON.parse(ran.stdout), version: version.exec(readFileSync(`${folder}go.mod`, "utf8"))?.[1] };
  } finally {
    rmSync(work, { recursive: true });
  }
}
