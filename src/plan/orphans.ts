// Which operators came as dependencies, and are needed by nobody any more? Those that nobody asked for and that nothing else
// needs or wishes for, directly or through others.

import { kindKey } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import type { Installed, KindInUse, Problem, Request } from "../model/problem.ts";
import { ownsKind } from "../resolve/api-needs.ts";
import { holdsOver } from "../resolve/holds.ts";
import { type Member, propertiesOf } from "../resolve/member.ts";
import { type Universe, universeOf } from "../resolve/universe.ts";
import type { Orphan } from "./plan.ts";

/** The orphans of a namespace, by package; packages that are wanted have none. */
export function orphansIn(problem: Problem, wanted: ReadonlySet<string> = new Set()): readonly Orphan[] {
  const generated = problem.installed.filter(
    (one) => isGenerated(one, problem.requests) && !wanted.has(one.package ?? one.name),
  );
  if (generated.length === 0) return [];
  const universe = universeOf(problem.catalogs, problem.options);
  const unneeded = new Set(withoutThoseNeeded(problem, universe, generated));
  // A chain of demands may hold in ways that the walk does not see: then nobody is called an orphan.
  if (!isWhole(problem, universe, unneeded)) return [];
  return [...unneeded]
    .map((one) => ({
      package: one.package ?? one.name,
      name: one.name,
      requests: claimsOf(one, problem.requests),
      inUse: inUseOf(one, problem),
    }))
    .sort((a, b) => compareText(a.package, b.package) || compareText(a.name, b.name));
}

/** The kinds of an operator of which objects were given. */
function inUseOf(operator: Installed, { definitions = [], inUse = [] }: Problem): readonly KindInUse[] {
  const known = definitions.flatMap(({ definition: { group, kind }, objects = [], isPartial }) =>
    // Those that could not be read are there, too.
    objects.length > 0 || isPartial ? [{ group, kind, count: Math.max(1, objects.length) }] : [],
  );
  return [...known, ...inUse].filter((one) => ownsKind(operator, kindKey(one)));
}

function claimsOf({ name }: Installed, requests: readonly Request[]): readonly Request[] {
  return requests.filter((request) => request.installed === name);
}

/** Did it come as a dependency? What is held, somebody wants as it is. */
function isGenerated(operator: Installed, requests: readonly Request[]): boolean {
  if (operator.hold !== undefined) return false;
  const claims = claimsOf(operator, requests);
  return claims.length > 0 && claims.every((claim) => claim.isGenerated === true);
}

/** Of those that were generated, the ones that nobody leads to: first come those who were asked for, then whom they need. */
function withoutThoseNeeded(
  { installed, elsewhere, node }: Problem,
  universe: Universe,
  generated: readonly Installed[],
): readonly Installed[] {
  const left = new Set(generated);
  const needing: Installed[] = [...installed.filter((one) => !left.has(one)), ...elsewhere];
  const staying: Member[] = [...needing, node];
  // Whoever is found to be needed is appended, and asked in turn.
  for (const requirer of needing)
    for (const { predicate } of universe.walkedLeavesOf(requirer.properties)) {
      if (staying.some((one) => universe.isMatch(predicate, propertiesOf(one)))) continue;
      const provider = installed.find((one) => left.has(one) && universe.isMatch(predicate, one.properties));
      if (provider === undefined) continue;
      left.delete(provider);
      needing.push(provider);
      staying.push(provider);
    }
  return [...left];
}

/** Does everybody who stays have what he had, once these are gone? */
function isWhole({ installed, elsewhere, node }: Problem, universe: Universe, gone: ReadonlySet<Installed>): boolean {
  const before = [...installed, ...elsewhere, node];
  const after = before.filter((one) => !gone.has(one as Installed));
  return [...installed, ...elsewhere].every(
    (one) =>
      gone.has(one) ||
      universe
        .requirementsOf(one.properties)
        .requirements.every(
          ({ constraint, optional }) =>
            optional || holdsOver(universe, constraint, after, one) || !holdsOver(universe, constraint, before, one),
        ),
  );
}
