// Where is an API declared that only one operator may provide? Of each package that provides it, in its newest bundle.

import { inside, type Place } from "../../model/place.ts";
import { providedApis } from "../../resolve/catalog-index.ts";
import type { OnePerCause } from "../../resolve/explain/cause.ts";
import type { SubjectExplanation } from "../../resolve/explain/subject.ts";
import { byPackage, memberText } from "../../resolve/explain/version-runs.ts";
import { propertiesOf, type Self, versionOf } from "../../resolve/member.ts";
import type { Fact } from "../../resolve/resolution.ts";
import { compareWithBuild } from "../../semver/version.ts";

/** A fact for each bundle with a declaration that takes part in an explanation; its subject says which one it is. */
export function declarationsOf({ explanation, unsatisfied, notNewer }: SubjectExplanation): readonly Fact[] {
  const found = new Map<string, Fact>();
  const refused = unsatisfied.flatMap((item) => item.explanation.causes);
  for (const cause of [...explanation.causes, ...refused, ...(notNewer?.causes ?? [])]) {
    if (cause.kind !== "one-provider") continue;
    for (const members of byPackage(cause.members)) {
      const fact = declaration(cause, members);
      if (!found.has(fact.subject)) found.set(fact.subject, fact);
    }
  }
  return [...found.values()];
}

function declaration({ of: api }: OnePerCause, members: readonly Self[]): Fact {
  const newest = members.toSorted(newestFirst)[0] as Self;
  const where = "bundle" in newest ? ` in catalog ${newest.index.catalog.name}` : ", running";
  const place = placeOf(newest, api);
  const subject = `${memberText(newest)}${where}`;
  const text = `${memberText(newest)} provides ${api}`;
  return { rule: "one-provider", subject, text, ...(place !== undefined && { place }) };
}

/** A bundle of a catalog comes before an operator of the same version, which was made from it. */
function newestFirst(a: Self, b: Self): number {
  const [one, other] = [versionOf(a), versionOf(b)];
  const order = one === undefined || other === undefined ? 0 : compareWithBuild(other, one);
  return order || Number("bundle" in b) - Number("bundle" in a);
}

/** Of a bundle, the property that declares it; what an operator provides that runs may be worked out from its CRDs. */
function placeOf(self: Self, api: string): Place | undefined {
  if (!("bundle" in self)) return self.place;
  const property = propertiesOf(self).findIndex((one) => providedApis([one]).includes(api));
  return property < 0 ? self.bundle.place : inside(self.bundle.place, "properties", property);
}
