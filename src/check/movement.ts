// Does every installed operator stay or follow an upgrade edge? And does every member of the answer exist?

import type { Installed, Problem } from "../model/problem.ts";
import type { Answer, CheckedRule, Violation } from "./answer.ts";
import { type Requests, Selection } from "./requests.ts";

/** Members of the answer that do not exist, or are duplicated. */
export function unrealMembers(problem: Problem, { kept, chosen }: Answer): readonly Violation[] {
  const violations: Violation[] = [];
  const running = new Set(problem.installed);
  const seen = new Set<Installed>();
  for (const operator of kept) {
    const { name } = operator;
    if (!running.has(operator)) violations.push({ rule: "unknown", text: `${name} is kept, but does not run here` });
    if (seen.has(operator)) violations.push({ rule: "duplicate", text: `${name} is kept twice` });
    seen.add(operator);
  }
  const before = new Selection([]);
  for (const one of chosen) {
    const { catalog, bundle } = one;
    const name = `${catalog.name}/${bundle.name}`;
    const real = catalog.packages.get(bundle.package)?.bundles.get(bundle.name) === bundle;
    if (!real || !problem.catalogs.includes(catalog))
      violations.push({ rule: "unknown", text: `${name} is chosen, but is in no catalog of the problem` });
    if (before.has(one)) violations.push({ rule: "duplicate", text: `${name} is chosen twice` });
    before.add(one);
  }
  return violations;
}

/** Operators that are neither kept nor updated, or both, or that had to be kept. */
export function wrongMoves(problem: Problem, { kept, chosen }: Answer, requests: Requests): readonly Violation[] {
  const violations: Violation[] = [];
  const report = (rule: CheckedRule, text: string): void => {
    violations.push({ rule, text });
  };
  const staying = new Set(kept);
  const successors = requests.successors(chosen);
  for (const operator of problem.installed) {
    const { name, hold } = operator;
    const successor = successors.get(operator)?.bundle.name;
    if (!staying.has(operator)) {
      if (successor === undefined) report("upgrade-edge", `${name} is gone, and no update of it is chosen`);
      if (hold !== undefined) report("held-operator", `${name} is held, but is not kept: ${hold.text}`);
    } else if (successor !== undefined)
      report("upgrade-edge", `${name} is kept, although its update ${successor} is chosen`);
  }
  return violations;
}
