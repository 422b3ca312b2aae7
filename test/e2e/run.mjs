// What does `npm run test:e2e` do? It finds or builds the real servers and runs the tests in this folder on them; arguments
// go to vitest. Where there are no servers it says what is missing and does not run the tests that need them: a success for a
// contributor without Go, a failure with PLIMSOLL_E2E=required. With PLIMSOLL_E2E_REPORT=FILE it writes how many tests passed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  catalogServersFolder,
  helmFolder,
  NoServersError,
  ocmFolder,
  olmFolder,
  registryFolder,
  serversFolder,
  withoutControllers,
} from "./servers/servers.mjs";

const { PLIMSOLL_E2E, PLIMSOLL_E2E_REPORT } = process.env;
const isRequired = PLIMSOLL_E2E === "required";

/** Which test files need more than an API server, by the first word of their names. */
const FILES_ON = {
  "crane, opm and catalogd": /^(?:catalog|resolution)-/,
  "kube-controller-manager and OCM's placement controller": /^controller-/,
  helm: /^deploy-/,
  "OLM v0": /-beside-olm\./,
};

/** The folders of servers; undefined where they cannot be had and are not required. Ends this process if anything else fails. */
async function foldersOf(what, folders) {
  try {
    const found = [];
    for (const folder of folders) found.push(await folder());
    return found;
  } catch (error) {
    const isSkip = error instanceof NoServersError && !isRequired;
    console.error(`plimsoll: ${isSkip ? `SKIPPED, no test on ${what} was run: ` : ""}${error.message}.`);
    if (!isSkip) process.exit(1);
    return undefined;
  }
}

const [kube] = (await foldersOf("a real API server", [serversFolder])) ?? process.exit(0);
const missing = withoutControllers(kube);
if (missing !== undefined) {
  const skipped = "SKIPPED, no test with controllers of Kubernetes was run: ";
  console.error(`plimsoll: ${isRequired ? "" : skipped}${missing}.`);
  if (isRequired) process.exit(1);
}
const [registry, catalogs] = (await foldersOf("crane, opm and catalogd", [registryFolder, catalogServersFolder])) ?? [];
const [ocm, helm] = (await foldersOf("OCM's placement controller and helm", [ocmFolder, helmFolder])) ?? [];
const [olm] = (await foldersOf("OLM v0", [olmFolder])) ?? [];
const folder = mkdtempSync(join(tmpdir(), "plimsoll-e2e-run-"));
const temporary = join(folder, "tmp");
mkdirSync(temporary);
const results = join(folder, "results.json");
const vitest = spawn(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    ...["run", "--config", "test/e2e/vitest.config.ts"],
    ...["--reporter=default", "--reporter=json", `--outputFile.json=${results}`],
    ...process.argv.slice(2),
  ],
  {
    env: {
      ...process.env,
      TMPDIR: temporary, // what a killed test leaves is in the folder that the guard removes
      KUBEBUILDER_ASSETS: kube,
      ...(registry && { PLIMSOLL_E2E_REGISTRY: registry, PLIMSOLL_E2E_CATALOGS: catalogs }),
      ...(ocm && { PLIMSOLL_E2E_OCM: ocm, PLIMSOLL_E2E_HELM: helm }),
      ...(olm && { PLIMSOLL_E2E_OLM: olm }),
    },
    stdio: "inherit",
  },
);
const guard = spawn(process.execPath, ["test/e2e/guard.mjs", folder], {
  stdio: ["pipe", "ignore", "ignore"],
  detached: true,
});
guard.stdin.write(`${JSON.stringify({ started: vitest.pid })}\n`);
process.on("SIGINT", () => {}); // a terminal sends it to vitest, too
process.on("SIGTERM", () => vitest.kill());
const [status] = await once(vitest, "exit");
process.exitCode = status ?? 1;
if (status === 0) report(JSON.parse(readFileSync(results, "utf8")));
guard.stdin.end(`${JSON.stringify({ ended: vitest.pid })}\n`);
await once(guard, "exit");

/** Where the tests are required, none of them may be left out. */
function report({ numPassedTests: passed, numTotalTests: total, testResults }) {
  if (isRequired && (passed === 0 || passed < total)) {
    console.error(
      `plimsoll: only ${passed} of ${total} tests on a real API server were run; all of them are required.`,
    );
    process.exitCode = 1;
  }
  const counts = Object.entries(FILES_ON).map(
    ([what, files]) => `${passedIn(testResults, files)} of them on ${what}\n`,
  );
  if (PLIMSOLL_E2E_REPORT) writeFileSync(PLIMSOLL_E2E_REPORT, `${passed} passed of ${total}\n${counts.join("")}`);
}

/** How many tests passed in the files whose names match. */
function passedIn(testResults, files) {
  return testResults
    .filter(({ name }) => files.test(basename(name)))
    .flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === "passed")).length;
}
