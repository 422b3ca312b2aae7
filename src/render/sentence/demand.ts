// What do versions of a package require, and which operators could meet it?

import { demandedBy } from "../../constraint/negation.ts";
import type { Outline } from "../../constraint/outline.ts";
import { isPredicate } from "../../constraint/predicate-key.ts";
import { addTo } from "../../model/grouped.ts";
import type { Demanded, DemandFact, Meeting, OperatorId } from "../../resolve/explain/fact.ts";
import { enumerated } from "../../text/words.ts";
import { besideText, operatorNoun, ruleOf, saying, sentence } from "./constraint.ts";
import { scopeText } from "./names.ts";
import { nearMissText } from "./near-miss.ts";
import type { OperatorWords, Style } from "./operators.ts";
import { type Clause, continued, named, plain } from "./words.ts";

/** Up to this many different demands are listed one by one. */
const MAX_DEMANDS = 3;

const NAME: Style = { whole: "name" };

/** One requirement of one version, and the operators that meet the parts that the sentence is about. */
interface Demand extends Demanded {
  readonly member: OperatorId;
  readonly met: readonly Meeting[];
}

interface About {
  /** The package, or `namespace/name` for an operator of another namespace. */
  readonly owner: string;
  readonly words: OperatorWords;
  readonly introduced: ReadonlySet<OperatorId>;
}

/** The sentence of a requirement; that an operator runs is not repeated. */
export function demandClause(
  fact: DemandFact,
  words: OperatorWords,
  introduced: ReadonlySet<OperatorId> = new Set(),
): Clause {
  const groups = new Map<number, Demand[]>();
  for (const { member, demanded, met } of fact.demands) {
    const demand = { member, met: fact.met[met] ?? [], ...(fact.demanded[demanded] as Demanded) };
    addTo(groups, demanded, demand);
  }
  const all = [...groups.values()];
  const about = { owner: fact.owner, words, introduced };
  if (all.length === 0) return named(`${fact.owner} demands nothing`);
  if (all.length > MAX_DEMANDS) return manyClause(all, about);
  const [first, ...more] = all.map((group) => groupClause(group, about)) as [Clause, ...Clause[]];
  return continued(first, more.map(({ text }) => `; ${text}`).join(""));
}

/** Versions that demand the same. */
function groupClause(group: readonly Demand[], about: About): Clause {
  const [first] = group as [Demand];
  const members = group.map(({ member }) => member);
  const { constraint } = first;
  const isAgainst = first.isConflict === true || constraint.kind === "none";
  const parts = partsOf(constraint, isAgainst);
  const [only] = parts;
  const rule = only !== undefined && parts.length === 1 ? ruleOf(only) : undefined;
  const demand = isAgainst
    ? continued(
        cannotClause(members, about),
        ` run ${rule === undefined ? besideText(parts) : "beside an operator that meets a rule"}`,
      )
    : continued(
        requiresClause(members, about),
        ` ${rule === undefined ? sentence(constraint) : "an operator that meets a rule"}`,
      );
  const speaker = about.words.packageOf(first.member) ?? about.owner;
  const remarks = [saying(constraint, `${speaker}'s author`), rule === undefined ? undefined : `rule ${rule}`];
  const said = remarks.filter((one) => one !== undefined).join("; ");
  return continued(demand, `${providersText(first, isAgainst, about.words)}${said === "" ? "" : ` (${said})`}`);
}

/** What is denied one by one; or the whole demand. */
function partsOf(constraint: Outline, isAgainst: boolean): readonly Outline[] {
  return isAgainst && "constraints" in constraint ? constraint.constraints : [constraint];
}

function requiresClause(members: readonly OperatorId[], about: About): Clause {
  return continued(whoClause(members, about), about.words.isPlural(members) ? " require" : " requires");
}

function cannotClause(members: readonly OperatorId[], about: About): Clause {
  const { words } = about;
  if (words.isWhole(members)) return continued(words.clause(members, { whole: "no" }), " can");
  return continued(whoClause(members, about), " cannot");
}

/** The operators that have the requirement. */
function whoClause(members: readonly OperatorId[], { owner, introduced, words }: About): Clause {
  const [first] = members as [OperatorId];
  if (members.length > 1 || words.isBundle(first)) return words.clause(members);
  if (introduced.has(first)) return named(words.one(first));
  const { namespace, name } = words.ref(first);
  const isElsewhere = namespace !== undefined && owner === `${namespace}/${name}`;
  return named(`${words.one(first)}, which runs${isElsewhere ? ` in ${scopeText(namespace ?? "")}` : ""},`);
}

/** Every version has a demand of its own: what they come to together, and the newest as an example. */
function manyClause(groups: readonly (readonly Demand[])[], about: About): Clause {
  const { words } = about;
  const demands = groups.flat();
  const members = demands.map(({ member }) => member);
  const [newest] = words.newestFirst(members);
  const example = demands.find(({ member }) => member === newest) as Demand;
  const { constraint } = example;
  const met = [...new Set(demands.flatMap(neededOf))];
  if (constraint.kind !== "package" || met.length === 0 || newest === undefined) {
    const { text } = groupClause([example], about);
    return plain(`each of ${words.several(members, { whole: "runs" })} has a demand of its own: ${text}`);
  }
  const requires = requiresClause(members, about);
  const like = `(${words.one(newest)}: ${constraint.range.text})`;
  if (words.isWhole(met, constraint.name)) return continued(requires, ` some version of ${constraint.name} ${like}`);
  const each = `${words.isPlural(members) ? ", each" : ""} in a range of its own within`;
  return continued(requires, ` ${constraint.name}${each} ${words.versions(met, constraint.name)} ${like}`);
}

/** The operators of which one must run to meet the requirement; none if it is always met. */
function neededOf({ member, met: [meeting] }: Demand): readonly OperatorId[] {
  if (meeting === undefined || meeting.fixed.length > 0) return [];
  const { members, doubtful } = meeting;
  return members.includes(member) || doubtful.includes(member) ? [] : members;
}

/** The operators that could meet it: ", which only x 1.0.0 to 1.4.0 provides". */
function providersText({ member, constraint, met }: Demand, isAgainst: boolean, words: OperatorWords): string {
  if (!isAgainst) return metText(constraint, met, words);
  const demanded = demandedBy(partsOf(constraint, isAgainst));
  if (demanded === undefined) return rivalsText(constraint, member, met, words);
  // What is demanded by a negation another operator must have.
  const [found] = isPredicate(demanded) ? met : [];
  const isAlone = found?.doubtful.length === 0 && found.members.length === 1 && found.members[0] === member;
  return isAlone ? ", and no other operator meets that" : metText(demanded, met, words);
}

function metText(constraint: Outline, met: readonly Meeting[], words: OperatorWords): string {
  if (!isPredicate(constraint)) return partsText(constraint, met, words);
  const [meeting] = met as [Meeting];
  const { members, doubtful } = meeting;
  if (members.length === 0 && doubtful.length > 0)
    return `; ${words.several(doubtful, NAME)} would do, but comes from a catalog after one that is not available`;
  if (members.length === 0) return `${nobodyText(constraint, meeting, words)}${doubtText([meeting])}`;
  const who = words.several(members, NAME);
  const row = words.rowOf(members, NAME);
  const isSeveral = row.packages > 1 || row.items > 1;
  switch (constraint.kind) {
    case "gvk":
      return `, which only ${who} ${isSeveral ? "provide" : "provides"}`;
    case "package": {
      const { name, range } = constraint;
      const only = words.onlyVersion(members, name);
      const isSaid = words.isWhole(members, name) || (only !== undefined && only === range.only);
      return isSaid ? "" : `, which is ${words.versions(members, name)}`;
    }
    case "propertyEquals":
      return `; only ${who} ${isSeveral ? "have" : "has"} it`;
    default:
      return isProperty(constraint) ? `, which only ${who} ${isSeveral ? "have" : "has"}` : `, and that is only ${who}`;
  }
}

/** For combined requirements: the part that no operator meets, or the operators that could meet one of them. */
function partsText(constraint: Outline, met: readonly Meeting[], words: OperatorWords): string {
  const all = "constraints" in constraint ? constraint.constraints : [];
  const parts = all.filter(isPredicate);
  const isUnmet = (one: Meeting | undefined): boolean =>
    one !== undefined && one.members.length + one.doubtful.length + one.fixed.length === 0;
  if (constraint.kind === "any") {
    if (parts.length < all.length) return "";
    const isTwo = new Set(parts.map((part) => JSON.stringify({ ...part, message: undefined }))).size === 2;
    if (met.every(isUnmet)) return `, and there is ${isTwo ? "neither" : "none of these"}${doubtText(met)}`;
    const who = met.flatMap((one) => one.members);
    return `; only ${words.several(who, NAME)} would do`;
  }
  const missing = parts.filter((_, index) => isUnmet(met[index]));
  if (missing.length === 0) return "";
  const texts = missing.map((part) => operatorNoun(part));
  return `, and there is no ${enumerated(texts, "or")}${doubtText(met.filter(isUnmet))}`;
}

/** Is what nothing meets perhaps among what was not read? */
function doubtText(unmet: readonly Meeting[]): string {
  const isDoubtful = unmet.some(({ missing }) => !missing?.isOrphan && missing?.mayBeUnread);
  return isDoubtful ? ", as far as the catalogs could be read" : "";
}

function nobodyText(constraint: Outline, { missing }: Meeting, words: OperatorWords): string {
  if (missing?.isOrphan) return "; its CRD exists on the cluster, but no operator provides it";
  if (constraint.kind === "cel" && constraint.version !== undefined) {
    const stated = missing?.stated;
    return stated === undefined ? ", and the version of the cluster is not known" : `, and the cluster has ${stated}`;
  }
  if (constraint.kind === "gvk") return ", and no operator in the catalogs provides it";
  if (constraint.kind === "propertyEquals") return ", and none has it";
  if (constraint.kind !== "package")
    return `, and there is none${missing?.nearest === undefined ? "" : `: ${nearMissText(missing.nearest, words)}`}`;
  const others = missing?.others ?? [];
  return others.length === 0
    ? ", and no catalog has it"
    : `, and there ${others.length === 1 ? "is" : "are"} only ${words.versions(others, constraint.name)}`;
}

/** Is it written as a property that an operator has? */
function isProperty(constraint: Outline): boolean {
  if (constraint.kind === "cel") return constraint.property !== undefined;
  return constraint.kind === "propertyEquals" || constraint.kind === "label";
}

/** The operators with which an operator cannot run, unless the sentence names them already. */
function rivalsText(constraint: Outline, self: OperatorId, met: readonly Meeting[], words: OperatorWords): string {
  if (!("constraints" in constraint)) return "";
  const present = met.flatMap((one) => one.fixed).find((one) => one !== self);
  if (present === "cluster") return ", and the cluster itself is that";
  if (present !== undefined) {
    const { name, namespace } = words.ref(present);
    return `, and ${name} runs in ${scopeText(namespace ?? "")}`;
  }
  const all = met.flatMap((one) => [...one.members, ...one.doubtful]).filter((one) => one !== self);
  // Another version of its own package cannot run with it anyway.
  const others = all.filter((one) => words.packageOf(one) !== words.packageOf(self));
  const rivals = others.length === 0 ? all : others;
  const isSaid = constraint.constraints.some((part) => {
    if (part.kind !== "package") return false;
    const only = words.onlyVersion(rivals, part.name);
    return words.isWhole(rivals, part.name) || (only !== undefined && only === part.range.only);
  });
  if (rivals.length === 0 || isSaid) return "";
  const [only, ...more] = constraint.constraints;
  const who = words.several(rivals, NAME);
  if (only === undefined || more.length > 0) return `, which is ${who}`;
  const row = words.rowOf(rivals, NAME);
  if (isProperty(only)) return `, which ${who} ${row.packages > 1 || row.items > 1 ? "have" : "has"}`;
  return `, which is ${only.kind === "package" ? words.versions(rivals, only.name) : who}`;
}
