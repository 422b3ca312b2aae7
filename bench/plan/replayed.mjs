// What does each generation of a plan begin with? The problem after all generations before it, as OLM's solver would be
// asked it.
import { byText, installedFrom, requestFor } from "../resolve/problem.mjs";

/** The problem before each generation, and the one after the last. */
export function problemsOn(before, { generations }) {
  const problems = [before];
  for (const { steps } of generations)
    problems.push(
      problemAfter(
        problems.at(-1),
        steps.flatMap(({ changes }) => changes),
      ),
    );
  return problems;
}

/** The bundle of a change; earlier builds have it in the plan. */
function bundleOf({ catalogs }, to) {
  if (to.bundle !== undefined) return to.bundle;
  const catalog = catalogs.find(
    ({ name, namespace }) => name === to.catalog.name && namespace === to.catalog.namespace,
  );
  return catalog.packages.get(to.package).bundles.get(to.name);
}

/** The problem once changes have been made. */
function problemAfter(problem, changes) {
  const successor = new Map();
  for (const { from, alsoFrom, to } of changes)
    for (const gone of [from, ...alsoFrom]) if (gone !== undefined) successor.set(gone.name, (to?.bundle ?? to)?.name);
  const come = changes.flatMap(({ to }) => (to === undefined ? [] : [installedFrom(bundleOf(problem, to))]));
  const generated = changes.flatMap(({ generatedSubscription: subscription, to }) => {
    if (subscription === undefined) return [];
    const request = requestFor(to.catalog, subscription.package, { installed: bundleOf(problem, to) });
    return [{ ...request, id: `${subscription.namespace}/${subscription.name}`, channel: subscription.channel }];
  });
  const requests = problem.requests.map((request) =>
    successor.has(request.installed) ? { ...request, installed: successor.get(request.installed) } : request,
  );
  const installed = problem.installed.filter(({ name }) => !successor.has(name));
  return {
    ...problem,
    requests: [...requests, ...generated].toSorted(byText((request) => request.id)),
    installed: [...installed, ...come].toSorted(byText((operator) => operator.name)),
  };
}
