// Does docs/live.md show what `kubectl plimsoll` prints? Its blocks are run on the API server that has the bundled example.
// PLIMSOLL_UPDATE_DOCS=1 npm run test:e2e live-page writes them anew.

import { readFileSync, writeFileSync } from "node:fs";
import { expect, inject, test } from "vitest";
import { splitWords } from "../cli/run-command.ts";
import { testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { makePlugin, runKubectl } from "./kubectl.ts";

const PAGE = "docs/live.md";
const BLOCK = /^```console\n\$ (kubectl plimsoll .*)\n([\s\S]*?)^```$/gm;
/** The address of the test's server differs in each run. */
const SHOWN_SERVER = "https://api.harbour.example.com:6443";

const { server, tokens, servers } = inject("cluster");
const folder = testFolder("page");
const { PATH } = makePlugin(folder);
const kubeconfig = writeKubeconfig(folder, { server, name: "harbour", user: { token: tokens.admin as string } });

/** What a command prints, with its exit code if that is not 0. */
async function printed(command: string): Promise<string> {
  const [, ...args] = splitWords(command);
  const { code, out, err } = await runKubectl({ servers, kubeconfig, home: folder }, args, { PATH });
  return `${err}${out}${code === 0 ? "" : `(exit ${code})\n`}`.replaceAll(server, SHOWN_SERVER);
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
