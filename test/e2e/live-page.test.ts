// Does docs/live.md show what `kubectl plimsoll` prints? Its blocks are run on the API server that has the bundled example.
// PLIMSOLL_UPDATE_DOCS=1 npm run test:e2e live-page writes them anew.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { splitWords } from "../cli/run-command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";

const PAGE = "docs/live.md";
const BLOCK = /^```console\n\$ (kubectl plimsoll .*)\n([\s\S]*?)^```$/gm;
/** The address of the test's server differs in each run. */
const SHOWN_SERVER = "https://api.harbour.example.com:6443";

const { server, tokens, servers } = inject("cluster");
const folder = mkdtempSync(join(tmpdir(), "plimsoll-page-"));
const bin = join(folder, "bin");
mkdirSync(bin);
symlinkSync(resolve("dist/bin/plimsoll.js"), join(bin, "kubectl-plimsoll"));
const kubeconfig = writeKubeconfig(folder, { server, name: "harbour", user: { token: tokens.admin as string } });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a command prints, with its exit code if that is not 0. */
function printed(command: string): Promise<string> {
  const [, ...args] = splitWords(command);
  const env = {
    PATH: [bin, servers, process.env.PATH].join(delimiter),
    ...{ HOME: folder, KUBECONFIG: kubeconfig, NO_COLOR: "1" },
  };
  return new Promise((done) =>
    execFile("kubectl", args, { env }, (error, out, err) => {
      const code = error === null ? "" : `(exit ${error.code})\n`;
      done(`${err}${out}${code}`.replaceAll(server, SHOWN_SERVER));
    }),
  );
}

test(`the commands of ${PAGE} print what it shows`, async () => {
  const text = readFileSync(PAGE, "utf8");
  const blocks = [...text.matchAll(BLOCK)];
  expect(blocks.length).toBeGreaterThan(1);
  let updated = text;
  for (const [block, command = "", shown = ""] of blocks) {
    const now = await printed(command);
    if (process.env.PLIMSOLL_UPDATE_DOCS === "1")
      updated = updated.replace(block, () => `\`\`\`console\n$ ${command}\n${now}\`\`\``);
    else expect(now).toBe(shown);
  }
  if (updated !== text) writeFileSync(PAGE, updated);
});
