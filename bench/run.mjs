// npm run bench [-- load|packed|yaml|community|start|loading|cel|cel-tests|resolve|explain|crd|plan|place|resolution-controller] [--data FOLDER] [--dist FOLDER] [--base FOLDER] [--profile FOLDER] [--quick]: how fast, as ratios. Timing never fails a test.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchCel } from "./cel.mjs";
import { benchCelTests } from "./cel-tests.mjs";
import { benchCommunity } from "./community.mjs";
import { benchCrd } from "./crd.mjs";
import { benchExplain } from "./explain.mjs";
import { benchLoad } from "./load.mjs";
import { benchLoading } from "./loading.mjs";
import { benchPacked } from "./packed.mjs";
import { benchPlace } from "./place.mjs";
import { benchPlan } from "./plan.mjs";
import { benchResolutionController } from "./resolution-controller.mjs";
import { benchResolve } from "./resolve.mjs";
import { benchStart } from "./start.mjs";
import { benchYaml } from "./yaml.mjs";

const BENCHES = {
  load: benchLoad,
  packed: benchPacked,
  yaml: benchYaml,
  community: benchCommunity,
  start: benchStart,
  loading: benchLoading,
  cel: benchCel,
  "cel-tests": benchCelTests,
  resolve: benchResolve,
  explain: benchExplain,
  crd: benchCrd,
  plan: benchPlan,
  place: benchPlace,
  "resolution-controller": benchResolutionController,
};
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: "string" },
    dist: { type: "string" },
    base: { type: "string" },
    profile: { type: "string" },
    quick: { type: "boolean" },
    cache: { type: "string" },
  },
});
const wanted = positionals.length > 0 ? positionals : Object.keys(BENCHES);
for (const name of wanted) {
  const bench = BENCHES[name];
  if (bench === undefined) {
    console.error(`no bench ${name}; there are ${Object.keys(BENCHES).join(", ")}`);
    process.exit(2);
  }
  await bench({ ...values, cache: values.cache ?? join(tmpdir(), "plimsoll-bench") });
}
