// What prevents an operator from being updated further, in a few words? For pictures, which have no room for more.

import type { Explanation } from "../../resolve/resolution.ts";
import { cutMiddle, displayWidth, wrapWords } from "../kit/display-width.ts";
import { versionIn } from "../resolve/shown.ts";
import { bodyText } from "../sentence/explanation-body.ts";
import { byVersion } from "../sentence/names.ts";
import type { Lane } from "./lanes.ts";

/** "held back from 2.1.0 by customs-broker", and the whole explanation; nothing if nothing does. */
export function endTexts({ end, package: name }: Lane): { readonly short: string; readonly long: string } | undefined {
  switch (end?.kind) {
    case "held-back": {
      const [best] = end.item.available;
      const { explanation } = end.item;
      const short = `held back from ${best === undefined ? "" : versionIn(name, best)}${explanation === undefined ? "" : culpritText(explanation, name)}`;
      return { short, long: explanation === undefined ? short : bodyText(explanation, byVersion) };
    }
    case "waiting": {
      const { to } = end.change;
      return { short: `${versionIn(name, to)} waits for approval`, long: `${to.name} waits for approval` };
    }
    case "refused":
      return {
        short: end.item.undecided ? "undecided" : "not possible",
        long: end.item.explanation === undefined ? "" : bodyText(end.item.explanation, byVersion),
      };
    case "gives-way":
      return {
        short: `makes room for ${end.move.change.package}`,
        long: `it makes room for ${end.move.change.package}`,
      };
    case "orphan":
      return end.orphan.neededBy === undefined
        ? { short: "orphan: nothing needs it", long: "it came as a dependency, and nothing needs it any more" }
        : { short: "orphan: only an orphan needs it", long: "it came as a dependency, and only an orphan needs it" };
    default:
      return undefined;
  }
}

/** What prevents it, if that can be named in a word or two. */
function culpritText({ facts }: Explanation, name: string): string {
  const hasRule = (rule: string): boolean => facts.some((fact) => fact.rule === rule);
  if (hasRule("runtime-constraint")) return " by the administrator";
  const others = facts.filter(({ rule, subject }) => rule === "dependency" && subject !== name);
  const subjects = new Set(others.map(({ subject }) => subject));
  if (subjects.size === 1) return ` by ${[...subjects].join("")}`;
  if (subjects.size > 1) return ` by ${subjects.size} others`;
  if (hasRule("crd-upgrade")) return " by a CRD";
  if (!hasRule("held-operator")) return "";
  const isOwnWord = facts.some((fact) => fact.kind === "stays" && fact.hold?.by === "condition");
  return isOwnWord ? " by itself (not upgradeable)" : " by a hold";
}

/** A text that fits into a width: the last words of a longer text are replaced by … */
export function cutEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const [line = ""] = wrapWords(text, width - 1);
  return cutMiddle(`${line}…`, width);
}
