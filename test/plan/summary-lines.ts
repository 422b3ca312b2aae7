// How is a plan summarised in a line for each step, so that tests can state what they expect?

import type { Installed, Problem, Request } from "../../src/model/problem.ts";
import { findPlans } from "../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS, type PlanOptions } from "../../src/plan/plan.ts";
import type { FoundPlan, PlannedChange } from "../../src/plan/plan-draft.ts";
import { parseNamedRequest } from "../../src/resolve/prepare/named-request.ts";
import type { NamedRequest } from "../../src/resolve/prepare/problem-inputs.ts";
import { request, running } from "../worlds/scene.ts";

/** The plan of one namespace. */
export function planned(problem: Problem, options: Partial<PlanOptions> = {}): FoundPlan {
  return findPlans([problem], { ...DEFAULT_PLAN_OPTIONS, explanations: "all", ...options })[0] as FoundPlan;
}

/** `1: a 1.0.0 → 2.0.0 & b +1.0.0`, a line for each step. */
export function summaryLines({ generations }: Pick<FoundPlan, "generations">): readonly string[] {
  return generations.flatMap(({ number, steps }) =>
    steps.map(({ changes }) => `${number}: ${changes.map(changeText).join(" & ")}`),
  );
}

function changeText({ package: owner, from, to }: PlannedChange): string {
  const versionOf = (name: string | undefined): string => name?.split(".v")[1] ?? "";
  if (from === undefined) return `${owner} +${versionOf(to?.bundle.name)}`;
  if (to === undefined) return `${owner} -${versionOf(from.name)}`;
  return `${owner} ${versionOf(from.name)} → ${versionOf(to.bundle.name)}`;
}

/** Operators that run, each with a request that updates it; `more` are fields of the request of a package. */
export function kept(
  operators: readonly Installed[],
  more: Readonly<Record<string, Partial<Request>>> = {},
): Pick<Problem, "installed" | "requests"> {
  return {
    installed: operators,
    requests: operators.map(({ name, package: owner = "" }) => request(owner, { installed: name, ...more[owner] })),
  };
}

/** An operator of a scene, as its bundle has it. */
export function ran(problem: Pick<Problem, "catalogs">, name: string): Installed {
  const [owner = ""] = name.split(".v");
  const found = problem.catalogs.flatMap(({ packages }) => packages.get(owner)?.bundles.get(name) ?? [])[0];
  return running(name, found?.properties.filter(({ type }) => type !== "olm.package") ?? []);
}

/** `PACKAGE@RANGE` as `--to` reads it. */
export function target(text: string): NamedRequest {
  return parseNamedRequest(text) as NamedRequest;
}
