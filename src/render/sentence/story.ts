// Why is something not possible, in sentences? A line for each.

import { linesText, oneLine } from "../../model/one-line.ts";
import type { Facts } from "../../resolve/explain/fact.ts";
import type { SkippedIn } from "../../resolve/explain/off-chain.ts";
import type { Note, Story } from "../../resolve/explain/story.ts";
import { requestName, shortName, waitsText } from "./asker.ts";
import { chosenLines } from "./chosen.ts";
import { factTexts } from "./fact.ts";
import { byVersion } from "./names.ts";
import { noWayText } from "./no-way.ts";
import { preferredText } from "./preferred.ts";
import { lineText, proofLines } from "./proof.ts";
import { lostText, sourceText } from "./source.ts";
import { enumerated } from "./words.ts";

/** What is told: facts with those that they speak of, how the reason follows from them, and what is said beneath. */
interface Told extends Facts {
  readonly story: Story;
  readonly notes: readonly Note[];
}

/** The whole prose of an explanation, without what would help. */
export function storyText(told: Told): string {
  return [reasonText(told), ...told.notes.map((note) => oneLine(noteText(note)))].join("\n");
}

/** The same beneath a line that says already what its first sentence says. */
export function storyBelow(told: Told): string {
  const { story } = told;
  const lines =
    story.kind === "proof"
      ? proofLines(told, story.proof).map(lineText)
      : story.kind === "chosen"
        ? chosenLines(story.root, story.needs)
        : [];
  return linesText([...lines.slice(1), ...told.notes.map(noteText)]);
}

function reasonText(told: Told): string {
  const { story } = told;
  switch (story.kind) {
    case "proof":
      return linesText(proofLines(told, story.proof).map(lineText));
    case "facts":
      return factLines(told).join("\n");
    case "limit":
      return `${story.isUnproven ? "no rule is known to forbid it; " : ""}${limitText(story)}`;
    case "no-reason":
      return story.by === "time"
        ? "the time was over before the reason was found"
        : "the search for the reason ended at its limit before it found one";
    case "all-or-nothing": {
      const names = story.requests.map(shortName);
      return oneLine(
        `all or nothing was asked for, and ${names.join(", ")} ${names.length === 1 ? "is" : "are"} not possible`,
      );
    }
    case "left-out":
      return oneLine(`There are too many to explain all of them here; plimsoll explain ${story.package} tells why.`);
    case "chosen":
      return linesText(chosenLines(story.root, story.needs));
    case "waits":
      return linesText(story.requests.map((request) => `${waitsText(request)}.`));
    case "stuck":
      return "Nothing can be done here as things are.";
    case "off-chain":
      return linesText(story.bundles.map(offChainText));
    case "preferred":
      return oneLine(`No rule forbids it, but ${preferredText(story.preferred)}.`);
    case "not-requested": {
      const also = story.elsewhere.map((one) => `; ${byVersion(one)} runs in namespace ${one.namespace}`);
      return oneLine(`No Subscription here asks for it, and no operator that is here needs it${also.join("")}.`);
    }
    case "sentences":
      return linesText(factTexts(told).map((text) => `${text}.`));
    case "no-way":
      return `${oneLine(noWayText(story))}\n${reasonText({ ...told, story: story.next })}`;
  }
}

/** Which entries skip it, in each channel that has it. */
function offChainText(channels: readonly SkippedIn[]): string {
  const reasons = channels.map(({ channel, by }) => {
    const skippers = by.map(byVersion).join(" and ");
    return `in channel ${channel} ${skippers} ${by.length === 1 ? "skips" : "skip"} it`;
  });
  const why = reasons.length === 0 ? "no channel has it" : reasons.join(", ");
  return `It is on no chain of its channels: ${why}. Only a request for exactly this version is given it.`;
}

/** What each fact says, on a line of its own; why there is no candidate may take two. */
function factLines(told: Told): readonly string[] {
  return factTexts(told).map((text, index) => (told.facts[index]?.kind === "no-candidates" ? text : oneLine(text)));
}

function limitText({ limit, maxConflicts }: Extract<Story, { readonly kind: "limit" }>): string {
  const ended = "the search ended before this was decided";
  switch (limit) {
    case "time":
      return `${ended}: the time was over`;
    case "cost":
      return `${ended}: the CEL rules cost more than they may in all`;
    case "conflicts":
      return `${ended}, at most ${maxConflicts} dead ends being allowed`;
  }
}

function noteText(note: Note): string {
  switch (note.kind) {
    case "priority":
      return "Of requests that exclude each other, as many as possible are served; then priority decides (plimsoll.dev/priority), then the name.";
    case "displaces": {
      const names = note.requests.map(requestName);
      return `If it is asked for all the same, ${enumerated(names)} ${names.length === 1 ? "has" : "have"} no operator.`;
    }
    case "unavailable":
      return `This is not certain: catalog ${note.catalog} is not available (${note.reason}).`;
    case "perhaps-better": {
      const catalogs = note.catalogs.map(({ name, reason }) => `catalog ${name} (${reason})`);
      return `Not available, and perhaps better: ${catalogs.join(", ")}.`;
    }
    case "lost":
      return `This is not certain: ${lostText(note.lost)}.`;
    case "more-lost":
      return `${note.count} more ${note.count === 1 ? "part of the catalogs was" : "parts of the catalogs were"} left out.`;
    case "may-move": {
      const { installed, request, none } = note;
      return `This is not certain: whether ${byVersion(installed)} can be updated is not known; ${sourceText(request, none)}.`;
    }
  }
}
