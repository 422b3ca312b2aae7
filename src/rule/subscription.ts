// What does a request ask for?

import type { Request } from "../model/problem.ts";
import { packageText } from "../render/sentence/constraint.ts";
import { rangeOutline } from "../semver/blang-range.ts";
import { type Rule, rule } from "./rule.ts";

/**
 * A request is satisfied by one of its candidates (OLM; seed 004): `¬satisfied ∨ candidate₁ ∨ candidate₂ ∨ …`.
 * `candidates` are the names, the best first.
 */
export function subscriptionRule(request: Request, candidates: readonly string[]): Rule {
  const { id, place, channel, catalog, startingCSV, range } = request;
  const wish = [
    packageText(request.package, range && rangeOutline(range)),
    ...(channel === undefined ? [] : [`in channel ${channel}`]),
    ...(catalog === undefined ? [] : [`from catalog ${catalog.name}`]),
    ...(startingCSV === undefined ? [] : [`beginning with ${startingCSV}`]),
  ].join(" ");
  const offers = candidates.length === 0 ? "there is no candidate" : `it can be given ${listed(candidates)}`;
  return rule("subscription", id, `${id} asks for ${wish}, and ${offers}`, place);
}

/** A bundle of a package that only Manual Subscriptions ask for is not chosen before one is approved: `¬bundle`. */
export function approvalRule(name: string, { id, place }: Request): Rule {
  return rule("subscription", name, `${name} needs approval: its Subscription ${id} is Manual`, place);
}

const MOST_NAMES = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(" or ");
  return names.length > MOST_NAMES ? `${shown} or ${names.length - MOST_NAMES} older ones` : shown;
}
