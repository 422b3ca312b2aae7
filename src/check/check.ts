// Is the answer right? Checks everything that docs/how-it-resolves.md requires once more, as simply as possible, with
// code that shares nothing with the resolver. A violation is a bug in the resolver.

import type { Constraint, Requirement, RuntimeConstraint } from "../constraint/constraint.ts";
import { ConstraintReader, constraintOptions } from "../constraint/read-requirements.ts";
import { readRuntimeConstraint } from "../constraint/read-runtime-constraint.ts";
import { getOrAdd } from "../model/grouped.ts";
import type { Problem } from "../model/problem.ts";
import type { Answer, CheckedRule, Violation } from "./answer.ts";
import { unapprovedChanges } from "./approval.ts";
import { onePerViolations } from "./at-most-one.ts";
import { compareCatalogs } from "./candidates.ts";
import { wrongDefinitions } from "./crd-change.ts";
import { type MayServe, Requirer } from "./holds.ts";
import { Matcher } from "./match.ts";
import { unrealMembers, wrongMoves } from "./movement.ts";
import { Requests } from "./requests.ts";
import { unchoosable, unfit } from "./single-operator.ts";
import { States } from "./state.ts";

/** All violations of an answer. Passing a reader that has read the same constraints before saves time. */
export function check(
  problem: Problem,
  answer: Answer,
  reader: ConstraintReader = readerFor(problem),
): readonly Violation[] {
  const unreal = unrealMembers(problem, answer);
  if (unreal.length > 0) return unreal;
  const requests = new Requests(problem);
  return [
    ...wrongMoves(problem, answer, requests),
    ...(problem.unapproved === undefined ? [] : unapprovedChanges(problem, answer)),
    ...wrongMembers(problem, answer, requests, reader),
    ...requests.falseClaims(answer),
  ];
}

/** Rules 2 to 6: the requirements of the members of the new state, and the rules about them. */
function wrongMembers(
  problem: Problem,
  answer: Answer,
  requests: Requests,
  reader: ConstraintReader,
): readonly Violation[] {
  const states = new States(problem);
  const after = states.after(answer);
  const before = states.before();
  const matcher = new Matcher();
  const requirer = new Requirer(matcher, mayServe(problem, requests));
  const runtime = runtimeConstraints(problem, reader);
  const relaxed = !problem.options.compat;
  const violations: Violation[] = [];
  for (const member of after.members) {
    if (member.role === "node") continue;
    const requirements = reader.of(member.properties);
    for (const { constraint, action, optional, property } of requirements.requirements) {
      if (optional || requirer.holds(constraint, after, member)) continue;
      if (relaxed && member.role !== "chosen" && !requirer.holds(constraint, before, member)) continue;
      violations.push({
        rule: ruleOf(constraint, action),
        text: `${member.name} does not have what its property ${property + 1} requires (${constraint.kind})`,
      });
    }
    if (member.role === "chosen") violations.push(...unfit(problem, member, requirements));
    if (member.bundle !== undefined && member.catalog !== undefined) {
      const isCandidate = requests.isCandidate({ catalog: member.catalog, bundle: member.bundle });
      violations.push(...unchoosable(problem, member, isCandidate, runtime, matcher));
    }
  }
  return [...violations, ...onePerViolations(after, relaxed), ...wrongDefinitions(problem, after, reader)];
}

/** A new bundle without a request cannot be a provider if an unavailable catalog might have a better one. */
function mayServe({ unavailable, namespace, options }: Problem, requests: Requests): MayServe {
  if (options.ignoreUnavailable || unavailable.length === 0) return () => true;
  return (requirer, { catalog, bundle }) => {
    if (catalog === undefined || bundle === undefined || requests.isCandidate({ catalog, bundle })) return true;
    if (requirer.catalog === catalog) return true;
    return !unavailable.some((missing) => compareCatalogs(missing, catalog, namespace) < 0);
  };
}

/** The runtime constraints; undefined for one that cannot be read. */
function runtimeConstraints(problem: Problem, reader: ConstraintReader): readonly (RuntimeConstraint | undefined)[] {
  return problem.runtime.entries.map(({ property }) => readRuntimeConstraint(property, reader).constraint);
}

const readers = new WeakMap<Problem["options"], ConstraintReader>();

/** Cached between answers. */
function readerFor({ options }: Problem): ConstraintReader {
  return getOrAdd(readers, options, () => new ConstraintReader(constraintOptions(options)));
}

/** The name of the rule that a requirement makes. */
function ruleOf({ kind }: Constraint, action: Requirement["action"]): CheckedRule {
  if (action === "conflict") return "conflict";
  if (kind === "gvk" || kind === "package" || kind === "label") return "dependency";
  if (kind === "cel") return "cel-constraint";
  return kind === "propertyEquals" ? "property-equals" : "compound";
}
