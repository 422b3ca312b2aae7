// What do versions of a package demand, and who could meet it?

import type { Constraint } from "../../constraint/constraint.ts";
import { demandedBy } from "../../constraint/negation.ts";
import { outlineOf } from "../../constraint/outline.ts";
import { askedProperty } from "../../constraint/plain-rule.ts";
import { isPredicate, predicateOf } from "../../constraint/predicate-key.ts";
import { askedVersion } from "../../constraint/version-rule.ts";
import { besideText, operatorText, packageText, ruleOf, saying, sentence } from "../../render/sentence/constraint.ts";
import { statedVersion } from "../../rule/platform-version.ts";
import { requirementDetail } from "../../rule/requirement.ts";
import { conditionsOf } from "../../rule/shape/conditions.ts";
import { rangeOutline } from "../../semver/blang-range.ts";
import { packageOf, type Self } from "../member.ts";
import type { Demand, DemandCause, Matches, Matching } from "./cause.ts";
import { nearestText } from "./cel-values.ts";
import {
  byPackage,
  enumerated,
  isPlural,
  membersText,
  memberText,
  newestFirst,
  type Style,
  versionsText,
} from "./version-runs.ts";

/** So many different demands are told one by one. */
const MOST_DEMANDS = 3;

const NAME: Style = { whole: "name" };

/** The sentence of a demand cause; of those who are known to run it is not said again. */
export function demandText(
  { demands, owner }: DemandCause,
  matches: Matches,
  introduced: ReadonlySet<Self> = new Set(),
): string {
  const groups = new Map<string, Demand[]>();
  for (const demand of demands) {
    const key = JSON.stringify(requirementDetail(demand.requirement));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [demand]);
    else group.push(demand);
  }
  const all = [...groups.values()];
  const about = { owner, matches, introduced };
  if (all.length > MOST_DEMANDS) return manyText(all, about);
  return all.map((group) => groupText(group, about)).join("; ");
}

interface About {
  /** The package, or `namespace/name` for an operator of another namespace. */
  readonly owner: string;
  readonly matches: Matches;
  readonly introduced: ReadonlySet<Self>;
}

/** Versions that demand the same. */
function groupText(group: readonly Demand[], about: About): string {
  const [first] = group as [Demand];
  const members = group.map(({ member }) => member);
  const { constraint, action } = first.requirement;
  const isAgainst = action === "conflict" || constraint.kind === "none";
  const parts = partsOf(constraint, isAgainst);
  const [only] = parts;
  const rule = only !== undefined && parts.length === 1 ? ruleOf(outlineOf(only)) : undefined;
  const demand = isAgainst
    ? `${cannotText(members, about)} run ${rule === undefined ? besideText(parts.map(outlineOf)) : "beside an operator that meets a rule"}`
    : `${requiresText(members, about)} ${rule === undefined ? sentence(outlineOf(constraint)) : "an operator that meets a rule"}`;
  const speaker = packageOf(first.member) ?? about.owner;
  const remarks = [
    saying(outlineOf(constraint), `${speaker}'s author`),
    rule === undefined ? undefined : `rule ${rule}`,
  ];
  const said = remarks.filter((one) => one !== undefined).join("; ");
  return `${demand}${providersText(first, isAgainst, about.matches)}${said === "" ? "" : ` (${said})`}`;
}

/** What is denied one by one; or the whole demand. */
function partsOf(constraint: Constraint, isAgainst: boolean): readonly Constraint[] {
  return isAgainst && "constraints" in constraint ? constraint.constraints : [constraint];
}

function requiresText(members: readonly Self[], about: About): string {
  return `${whoText(members, about)} ${isPlural(members) ? "require" : "requires"}`;
}

function cannotText(members: readonly Self[], about: About): string {
  const none = membersText(members, { whole: "no" });
  const isWhole = none.startsWith("no version of ") && byPackage(members).length === 1;
  return isWhole ? `${none} can` : `${whoText(members, about)} cannot`;
}

/** Who demands it. */
function whoText(members: readonly Self[], { owner, introduced }: About): string {
  const [first] = members as [Self];
  if (members.length > 1 || "bundle" in first) return membersText(members);
  if (introduced.has(first)) return memberText(first);
  const isElsewhere = owner === `${first.namespace}/${first.name}`;
  return `${memberText(first)}, which runs${isElsewhere ? ` in namespace ${first.namespace}` : ""},`;
}

/** Every version has a demand of its own: what they come to together, and the newest as an example. */
function manyText(groups: readonly (readonly Demand[])[], about: About): string {
  const demands = groups.flat();
  const members = demands.map(({ member }) => member);
  const met = new Set<Self>();
  for (const demand of demands)
    for (const { kind, members: list } of conditionsOf(
      demand.requirement.constraint,
      demand.member,
      about.matches,
      true,
    ) ?? [])
      if (kind === "some") for (const one of list) met.add(one);
  const [newest] = newestFirst(members);
  const example = demands.find(({ member }) => member === newest) as Demand;
  const { constraint } = example.requirement;
  if (constraint.kind !== "package" || met.size === 0 || newest === undefined)
    return `each of ${membersText(members, { whole: "runs" })} has a demand of its own: ${groupText([example], about)}`;
  const requires = requiresText(members, about);
  const like = `(${memberText(newest)}: ${constraint.range.text})`;
  if (membersText([...met], NAME) === constraint.name) return `${requires} some version of ${constraint.name} ${like}`;
  const each = `${isPlural(members) ? ", each" : ""} in a range of its own within`;
  return `${requires} ${constraint.name}${each} ${versionsText([...met], constraint.name)} ${like}`;
}

/** Who could meet it: ", which only x 1.0.0 to 1.4.0 provides". */
function providersText({ member, requirement }: Demand, isAgainst: boolean, matches: Matches): string {
  const { constraint } = requirement;
  if (!isAgainst) return metText(constraint, member, matches);
  const demanded = demandedBy(partsOf(constraint, isAgainst));
  if (demanded === undefined) return rivalsText(constraint, member, matches);
  // What is demanded by a negation another operator must have.
  const found = isPredicate(demanded) ? matches(predicateOf(demanded), member) : undefined;
  const isAlone = found?.doubtful.length === 0 && found.members.length === 1 && found.members[0] === member;
  return isAlone ? ", and no other operator meets that" : metText(demanded, member, matches);
}

function metText(constraint: Constraint, member: Self, matches: Matches): string {
  if (!isPredicate(constraint)) return partsText(constraint, member, matches);
  const { members, doubtful } = matches(predicateOf(constraint), member);
  if (members.length === 0 && doubtful.length > 0)
    return `; ${membersText(doubtful, NAME)} would do, but comes from a catalog after one that is not available`;
  if (members.length === 0)
    return `${nobodyText(constraint, member, matches)}${doubtText([matches(predicateOf(constraint), member)])}`;
  const who = membersText(members, NAME);
  const isSeveral = who.includes(" and ");
  switch (constraint.kind) {
    case "gvk":
      return `, which only ${who} ${isSeveral ? "provide" : "provides"}`;
    case "package": {
      if (who === constraint.name) return "";
      const versions = versionsText(members, constraint.name);
      return packageText(constraint.name, rangeOutline(constraint.range)) === `${constraint.name} ${versions}`
        ? ""
        : `, which is ${versions}`;
    }
    case "propertyEquals":
      return `; only ${who} ${isSeveral ? "have" : "has"} it`;
    default:
      return isProperty(constraint) ? `, which only ${who} ${isSeveral ? "have" : "has"}` : `, and that is only ${who}`;
  }
}

/** Of demands that are put together, what nobody meets; or who could meet one of several. */
function partsText(constraint: Constraint, member: Self, matches: Matches): string {
  const parts = "constraints" in constraint ? constraint.constraints.filter(isPredicate) : [];
  const found = parts.map((part) => ({ part, ...matches(predicateOf(part), member) }));
  const isUnmet = (one: Matching): boolean => one.members.length + one.doubtful.length + one.fixed.length === 0;
  if (constraint.kind === "any") {
    if ("constraints" in constraint && parts.length < constraint.constraints.length) return "";
    const all = found.flatMap((one) => one.members);
    const isTwo = new Set(parts.map((part) => sentence(outlineOf(part)))).size === 2;
    if (found.every(isUnmet)) return `, and there is ${isTwo ? "neither" : "none of these"}${doubtText(found)}`;
    return `; only ${membersText(all, NAME)} would do`;
  }
  const unmet = found.filter(isUnmet);
  const missing = unmet.map(({ part }) => operatorText(outlineOf(part)).replace(/^an? /, ""));
  return missing.length === 0 ? "" : `, and there is no ${enumerated(missing, "or")}${doubtText(unmet)}`;
}

/** Is what nothing meets perhaps among what was not read? */
function doubtText(unmet: readonly Matching[]): string {
  return unmet.some(({ isOrphan, ...one }) => !isOrphan && one.mayBeUnread)
    ? ", as far as the catalogs could be read"
    : "";
}

function nobodyText(constraint: Constraint, requirer: Self, matches: Matches): string {
  if (matches(predicateOf(constraint), requirer).isOrphan)
    return "; its CustomResourceDefinition is there, but no operator runs it";
  const asked = constraint.kind === "cel" ? askedVersion(constraint) : undefined;
  if (asked !== undefined) {
    const stated = statedVersion(matches(predicateOf(constraint), requirer).node, asked.type);
    return stated === undefined ? ", and the version of the cluster is not known" : `, and the cluster has ${stated}`;
  }
  if (constraint.kind === "gvk") return ", and no operator in the catalogs provides it";
  if (constraint.kind === "propertyEquals") return ", and none has it";
  if (constraint.kind !== "package") {
    const nearest = "bundle" in requirer ? nearestText(constraint, requirer.index) : undefined;
    return nearest === undefined ? ", and there is none" : `, and there is none: ${nearest}`;
  }
  const all = { ...constraint, range: { text: ">=0.0.0-0", anyOf: [[]] } };
  const { members, doubtful } = matches(predicateOf(all), requirer);
  const there = [...members, ...doubtful];
  return there.length === 0 ? ", and no catalog has it" : `, and there is only ${versionsText(there, constraint.name)}`;
}

/** Is it said as a property that somebody has? */
function isProperty(constraint: Constraint): boolean {
  if (constraint.kind === "cel") return askedProperty(constraint) !== undefined;
  return constraint.kind === "propertyEquals" || constraint.kind === "label";
}

function rivalsText(constraint: Constraint, self: Self, matches: Matches): string {
  if (!("constraints" in constraint)) return "";
  const found: Matching[] = constraint.constraints.flatMap((part) =>
    isPredicate(part) ? [matches(predicateOf(part), self)] : [],
  );
  const fixed = found.flatMap((one) => one.fixed).filter((one) => one !== self);
  const [present] = fixed;
  if (present !== undefined)
    return "namespace" in present
      ? `, and ${present.name} runs in namespace ${present.namespace}`
      : ", and the cluster itself is that";
  const all = found.flatMap((one) => [...one.members, ...one.doubtful]).filter((one) => one !== self);
  // Another version of its own package cannot be beside it anyway.
  const others = all.filter((one) => packageOf(one) !== packageOf(self));
  const rivals = others.length === 0 ? all : others;
  const packages = constraint.constraints.flatMap((part) => (part.kind === "package" ? [part] : []));
  const who = membersText(rivals, NAME);
  if (
    rivals.length === 0 ||
    packages.some(({ name, range }) => who === name || who === packageText(name, rangeOutline(range)))
  )
    return "";
  const [only, ...more] = constraint.constraints;
  if (only === undefined || more.length > 0) return `, which is ${who}`;
  if (isProperty(only)) return `, which ${who} ${who.includes(" and ") ? "have" : "has"}`;
  return `, which is ${only.kind === "package" ? versionsText(rivals, only.name) : who}`;
}
