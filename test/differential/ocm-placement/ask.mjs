// What does OCM decide? Builds the program in bench/peers/ocm, asks it about fleets, and keeps of its answers what can be
// compared: lists of clusters as text, scores in the order of the ranking.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manifestsOf, NOW } from "./manifests.mjs";

const PEER = new URL("../../../bench/peers/ocm/", import.meta.url);

/** The version of OCM that answers. */
export const ocmVersion = /open-cluster-management\.io\/ocm (\S+)/.exec(
  readFileSync(new URL("go.mod", PEER), "utf8"),
)[1];

/** The fleets with an answer at each Placement. */
export function askOcm(fleets) {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-"));
  try {
    const program = join(folder, "ocm");
    execFileSync("go", ["build", "-o", program, "."], { cwd: PEER.pathname, stdio: "inherit" });
    const questions = fleets.map((fleet, id) => ({ id, now: NOW, objects: manifestsOf(fleet).map(withDefaults) }));
    const [input, output] = ["questions.jsonl", "answers.jsonl"].map((name) => join(folder, name));
    writeFileSync(input, questions.map((question) => JSON.stringify(question)).join("\n"));
    execFileSync("sh", ["-c", `"$0" < "$1" > "$2"`, program, input, output], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const answers = readFileSync(output, "utf8").trim().split("\n");
    return fleets.map((fleet, id) => {
      const { placements, error } = JSON.parse(answers[id]);
      if (error !== undefined) throw new Error(error);
      return {
        ...fleet,
        placements: fleet.placements.map((placement, index) => ({
          ...placement,
          answer: shortened(placements[index]),
        })),
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An object as the API server stores it: with what the CustomResourceDefinition of Placement fills in. */
function withDefaults(object) {
  if (object.kind !== "Placement") return object;
  const { prioritizerPolicy, tolerations, decisionStrategy, ...spec } = object.spec;
  const configurations = prioritizerPolicy?.configurations?.map(({ scoreCoordinate, ...rest }) => ({
    weight: 1,
    ...rest,
    ...(scoreCoordinate && { scoreCoordinate: { type: "BuiltIn", ...scoreCoordinate } }),
  }));
  return {
    ...object,
    spec: {
      ...spec,
      ...(prioritizerPolicy && {
        prioritizerPolicy: { mode: "Additive", ...prioritizerPolicy, ...(configurations && { configurations }) },
      }),
      ...(tolerations && { tolerations: tolerations.map((toleration) => ({ operator: "Equal", ...toleration })) }),
      ...(decisionStrategy && {
        decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: "100%", ...decisionStrategy.groupStrategy } },
      }),
    },
  };
}

function shortened({ error, panic, status, selected, scores, prioritizers, unscheduled, conditions, groups }) {
  if (panic !== undefined) return { panic };
  if (error !== undefined) return { error };
  if (status === undefined) return { ignored: true };
  const [wrong, satisfied] = ["PlacementMisconfigured", "PlacementSatisfied"].map((type) =>
    conditions.find((condition) => condition.type === type),
  );
  const ranked = Object.entries(scores ?? {}).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return {
    ...(wrong.status === "True" && { misconfigured: wrong.message.slice(0, 100) }),
    ...(status.code === "Warning" && { warning: true }),
    satisfied: [satisfied.status, satisfied.reason, satisfied.message].join(" "),
    selected: selected.join(" "),
    ...(unscheduled !== 0 && { unscheduled }),
    ...(scores && {
      ranked: ranked.map(([name, score]) => `${name}:${score}`).join(" "),
      parts: (prioritizers ?? [])
        .map((one) => `${one.name}*${one.weight}: ${ranked.map(([name]) => one.scores?.[name] ?? 0).join(" ")}`)
        .sort(),
    }),
    groups: (groups ?? []).map(({ name, slices }) => [name, ...slices.map(({ clusters }) => clusters.join(" "))]),
  };
}
