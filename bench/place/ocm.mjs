// How long does OCM's own scheduler take on the same objects? A Go program is built and asked; without Go there is nothing to
// compare with.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NOW } from "./fleet.mjs";
import { writeLines } from "./lines.mjs";

const folder = fileURLToPath(new URL("../peers/ocm/", import.meta.url));

/** The version that go.mod names. */
export const ocmVersion = /open-cluster-management\.io\/ocm (v\S+)/.exec(readFileSync(`${folder}go.mod`, "utf8"))?.[1];

/** The scheduler; undefined when Go is not there. */
export function ocmScheduler() {
  const work = mkdtempSync(join(tmpdir(), "plimsoll-ocm-"));
  const close = () => rmSync(work, { recursive: true });
  const program = join(work, "ocm");
  const built = spawnSync("go", ["build", "-o", program, "."], { cwd: folder, stdio: ["ignore", 2, 2] });
  if (built.status !== 0) {
    close();
    return undefined;
  }
  return { close, measure: (manifests) => measure(program, work, manifests) };
}

/** What each Placement took, by its key; undefined if the program failed. */
function measure(program, work, manifests) {
  const file = join(work, "fleet.jsonl");
  writeLines(file, manifests);
  const ran = spawnSync(program, ["-bench", file, "-now", NOW, "-runs", "5", "-seconds", "5"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", 2],
  });
  if (ran.status !== 0) return undefined;
  const answers = ran.stdout.trim().split("\n");
  return new Map(answers.map((text) => JSON.parse(text)).map((one) => [one.key, one]));
}
