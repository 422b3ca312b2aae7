// What should people know about an answer, beside the answer? Things that were broken before, bundles that could not be
// read, deprecations, facts that nobody knows.

import { bundleFacts, installedFacts } from "../constraint/bundle-facts.ts";
import type { Constraint } from "../constraint/constraint.ts";
import { outlineOf } from "../constraint/outline.ts";
import { isPredicate, predicateOf } from "../constraint/predicate-key.ts";
import { problemPlace } from "../constraint/problem-place.ts";
import type { CrdFinding } from "../crd/finding.ts";
import { gvkOf, kindKey } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import { apiName, operatorText, sentence } from "../render/sentence/constraint.ts";
import { assumption, brokenText, detailText, platformNoteText, one as sayOne } from "../render/sentence/detail.ts";
import { platformNotes } from "../rule/platform-version.ts";
import { runtimeRefusal } from "../rule/runtime-constraint.ts";
import type { BrokenBefore } from "./context.ts";
import { limitedDemands, predicatesIn } from "./limits-hit.ts";
import { nameFor, nameOf, placeOf, propertiesOf, type Self } from "./member.ts";
import { rankOf } from "./operators.ts";
import type { Warning } from "./resolution.ts";
import type { Solution } from "./solution.ts";
import { runtimeConstraintsOf } from "./unary-rules.ts";
import { type Provider, providersFor } from "./walk.ts";

/** A runtime constraint that fewer bundles meet than this part of all is suspicious. */
const RARE = 0.01;

/** Everything worth knowing, in an order of its own. */
export function warningsOf(solution: Solution): readonly Warning[] {
  const warnings = [
    ...brokenBefore(solution),
    ...malformed(solution),
    ...deprecations(solution),
    ...platform(solution),
    ...runtime(solution),
    ...evaluationErrors(solution),
    ...limitsHit(solution),
    ...((solution.problem.definitions?.length ?? 0) === 0 ? [] : aboutCrds(solution)),
  ];
  const seen = new Set<string>();
  return warnings
    .filter(({ code, message }) => !seen.has(`${code} ${message}`) && seen.add(`${code} ${message}`))
    .sort((a, b) => compareText(a.code, b.code) || compareText(a.message, b.message));
}

function warning(code: string, message: string, place?: Warning["place"]): Warning {
  return place === undefined ? { code, message } : { code, message, place };
}

function brokenBefore(solution: Solution): readonly Warning[] {
  const told = (some: readonly BrokenBefore[], end: (one: BrokenBefore) => string): readonly Warning[] =>
    some
      .filter(({ byRemoval }) => !byRemoval)
      .map((one) =>
        warning("already-broken", `${brokenText(one.rule)}; this was broken before${end(one)}`, one.rule.place),
      );
  return [
    ...told(solution.stillBroken, () => ", and stays broken"),
    ...told(solution.repaired, (one) => repairText(one, solution)),
  ];
}

/** Whether the answer repairs it; an operator may be replaced by one of which that is not known. */
function repairText({ about, rule }: BrokenBefore, { round, members }: Solution): string {
  const repaired = ", and this answer repairs it";
  if (about.kind !== "alone") return repaired;
  const next = round.candidates
    .filter(({ installed }) => installed === about.member)
    .flatMap(({ nodes }) => nodes.filter((node) => members.has(node)))[0];
  const facts = next === undefined ? undefined : bundleFacts(next.bundle.properties);
  if (next === undefined || facts === undefined || (facts.installModes ?? []).length > 0) return repaired;
  const replaced = `; this answer replaces it by ${next.bundle.name}`;
  const { detail } = rule;
  if (detail.rule === "install-mode") return `${replaced}, whose install modes are not known`;
  const isUnknown =
    detail.rule === "platform-version" && detail.of === "Kubernetes" && facts.minKubeVersion === undefined;
  return isUnknown ? `${replaced}, of which it is not known which Kubernetes it needs` : repaired;
}

/** Bundles that were passed over because their constraints cannot be read: better candidates, and better providers. */
function malformed({ round, members }: Solution): readonly Warning[] {
  const { universe } = round.encoding;
  const passed = new Set<Self>(round.candidates.flatMap((one) => one.nodes.slice(0, rankOf(one, members))));
  // Those with the same requirement share one list of providers.
  const lists = new Set<readonly Provider[]>();
  for (const member of [...members, ...passed])
    for (const leaf of universe.leavesOf(propertiesOf(member))) lists.add(providersFor(round, leaf, member));
  for (const list of lists)
    for (const provider of list) {
      if (provider === "fixed" || members.has(provider)) break;
      passed.add(provider);
    }
  return [...passed].flatMap((one) => {
    if (!("bundle" in one)) return [];
    const { name, properties, place } = one.bundle;
    return universe.requirementsOf(properties).problems.flatMap((problem) => {
      const detail = { rule: "malformed-constraint", mistakes: [problem], more: 0 } as const;
      return [warning("malformed-constraint", detailText(detail, sayOne(name)), problemPlace(problem, place))];
    });
  });
}

function deprecations({ round, chosen }: Solution): readonly Warning[] {
  return chosen.flatMap((node) => {
    const { bundle, index } = node;
    const owner = index.catalog.packages.get(bundle.package);
    if (owner === undefined) return [];
    const [asking] = round.askers.get(node) ?? [];
    const channel = asking?.channels.get(node) ?? node.spot?.channel ?? "";
    const { deprecations: said } = owner;
    const texts = [
      [`package ${owner.name}`, said.package],
      [`channel ${channel} of package ${owner.name}`, said.channels.get(channel)],
      [bundle.name, said.bundles.get(bundle.name)],
    ] as const;
    return texts.flatMap(([what, text]) =>
      text === undefined ? [] : [warning("deprecated", `${what} is deprecated: ${text.trim()}`)],
    );
  });
}

function platform({ problem, members }: Solution): readonly Warning[] {
  return [...members].flatMap((member) =>
    platformNotes(
      "bundle" in member ? bundleFacts(member.bundle.properties) : installedFacts(member),
      problem.node,
    ).map((note) => warning("unknown-platform", platformNoteText(note, nameOf(member)))),
  );
}

/** Installed operators are exempt; a constraint that hardly anything meets is probably a mistake. */
function runtime({ problem, kept, round }: Solution): readonly Warning[] {
  if (problem.runtime.entries.length === 0) return [];
  const { universe } = round.encoding;
  const constraints = runtimeConstraintsOf(universe, problem.runtime);
  const violated = kept.flatMap(({ name, properties }) =>
    constraints.flatMap((constraint) => {
      const detail = runtimeRefusal({ properties }, constraint);
      const text = detail && `${detailText(detail, sayOne(name))}; it stays, since it runs`;
      return text === undefined ? [] : [warning("runtime-constraint", text, constraint.place)];
    }),
  );
  const bundles = problem.catalogs.flatMap(({ packages }) =>
    [...packages.values()].flatMap((one) => [...one.bundles.values()]),
  );
  const rare = constraints.flatMap(({ constraint, action, place }) => {
    if (action !== "require") return [];
    const met = bundles.filter(({ properties }) => universe.isMatch(predicateOf(constraint), properties)).length;
    if (met >= bundles.length * RARE) return [];
    const text = `the administrator requires ${operatorText(outlineOf(constraint))}: ${rareText(met, bundles.length)}`;
    return [warning("rarely-met", text, place)];
  });
  return [...violated, ...rare];
}

function rareText(met: number, all: number): string {
  if (met > 0) return `of ${all} bundles only ${met} can be chosen`;
  return all === 1 ? "the only bundle cannot be chosen" : `none of the ${all} bundles can be chosen`;
}

/** Under a `none`, an error lets somebody through who perhaps should not be. */
function evaluationErrors({ problem, members, round }: Solution): readonly Warning[] {
  const { universe } = round.encoding;
  const everybody = [...members, ...problem.elsewhere];
  return [...members].flatMap((member) =>
    universe.requirementsOf(propertiesOf(member)).requirements.flatMap(({ constraint }) =>
      forbidden(constraint).flatMap((predicate) =>
        everybody.flatMap((other) => {
          const verdict = other === member ? false : universe.verdict(predicateOf(predicate), propertiesOf(other));
          if (typeof verdict === "boolean") return [];
          const text = `${nameOf(member)} cannot run beside ${operatorText(outlineOf(predicate))}; of ${nameFor(problem.namespace, other)} that cannot be told: ${verdict.message}`;
          return [warning("evaluation-error", text, placeOf(member))];
        }),
      ),
    ),
  );
}

/** Rules that were too expensive, of whoever is in the answer or would have been better. */
function limitsHit(solution: Solution): readonly Warning[] {
  const { problem, round, members } = solution;
  const better = round.candidates.flatMap((one) => one.nodes.slice(0, rankOf(one, members)));
  return [...members, ...better].flatMap((member) =>
    limitedDemands(solution, member).map(({ constraint }) => {
      const text = `${nameOf(member)} asks for ${sentence(outlineOf(constraint))}, which was too expensive to find out for some (the limit is ${problem.options.celCostLimit}): they count as if it were not so`;
      return warning("cost-limit", text, placeOf(member));
    }),
  );
}

/** What should be known about the custom kinds of the cluster. */
function aboutCrds(solution: Solution): readonly Warning[] {
  return [...crdUpgrades(solution), ...notServed(solution), ...notChecked(solution)];
}

/** So many findings about the custom kinds that a bundle changes are told; the rest is counted. */
const MOST_CRD_FINDINGS = 3;

/** What is doubtful about the custom kinds that the answer changes, but does not forbid it. */
function crdUpgrades({ round, chosen }: Solution): readonly Warning[] {
  return chosen.flatMap((node) => {
    const { name } = node.bundle;
    const { crdChanges } = round.encoding;
    const findings = crdChanges.findingsOf(node).filter(({ severity }) => severity === "warning");
    const told = findings
      .slice(0, MOST_CRD_FINDINGS)
      .map((one) => crdWarning(name, one, assumption({ assumedFrom: crdChanges.assumedFrom(one.crd) })));
    const rest = findings.length - told.length;
    if (rest > 0)
      told.push(warning("crd-upgrade", `${name}: ${rest} more warnings about CRDs; \`plimsoll crd check\` lists them`));
    return told;
  });
}

/** Versions that somebody new requires and nobody serves: the kind is there, and nothing in the answer changes it. */
function notServed({ round, chosen }: Solution): readonly Warning[] {
  const { crdChanges } = round.encoding;
  const brought = new Set(chosen.flatMap((node) => crdChanges.broughtKinds(node)));
  return chosen.flatMap((node) =>
    crdChanges
      .notServed(node)
      .map(gvkOf)
      .filter((api) => !brought.has(kindKey(api)))
      .map((api) => {
        const text = `${node.bundle.name} requires ${apiName(api)}, which the CRD of the cluster does not serve`;
        return warning("crd-not-served", text, node.bundle.place);
      }),
  );
}

/** CRDs of the cluster that the answer may change without anybody knowing how: the manifests are not in the catalog. */
function notChecked({ round, chosen }: Solution): readonly Warning[] {
  const unknown = chosen.filter((node) => round.encoding.crdChanges.notChecked(node).length > 0);
  const crds = new Set(unknown.flatMap((node) => round.encoding.crdChanges.notChecked(node)));
  if (unknown.length === 0) return [];
  const names = unknown.map(({ bundle }) => bundle.name).sort(compareText);
  const told = names.length <= MOST_CRD_FINDINGS ? names : [...names.slice(0, MOST_CRD_FINDINGS), "others"];
  const text = `what ${told.join(", ")} would make of ${crds.size === 1 ? [...crds][0] : `${crds.size} CRDs`} is not known: the manifests are not in the catalog, or cannot be read`;
  return [warning("crd-not-checked", text)];
}

function crdWarning(subject: string, { code, crd, version, message, place }: CrdFinding, assumed: string): Warning {
  const about = version === "" ? crd : `${crd} ${version}`;
  return warning("crd-upgrade", `${subject} changes the CRD ${about}${assumed}: ${message} (${code})`, place);
}

/** The predicates beneath a `none`. */
function forbidden(constraint: Constraint): readonly Constraint[] {
  if (isPredicate(constraint) || !("constraints" in constraint)) return [];
  if (constraint.kind === "none")
    return constraint.constraints.flatMap((child) => predicatesIn(child).map((predicate) => predicate.constraint));
  return constraint.constraints.flatMap(forbidden);
}
