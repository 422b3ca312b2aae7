// Why is something not possible, in sentences? A line for each.

import type { ExplanationBody, Note, UnreadByOlmV1 } from "../../resolve/explain/explanation-body.ts";
import type { Facts } from "../../resolve/explain/fact.ts";
import type { SkippedIn } from "../../resolve/explain/why-absent.ts";
import { linesText } from "../../text/one-line.ts";
import { counted, enumerated } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";
import { chosenLines } from "./chosen.ts";
import { factClause } from "./fact.ts";
import { byName, byVersion, type Naming, scopeText } from "./names.ts";
import { noCandidatesTexts } from "./no-candidates.ts";
import { noUpgradePathText } from "./no-upgrade-path.ts";
import { olmV1Text } from "./olmv1.ts";
import { OperatorWords } from "./operators.ts";
import { preferredText } from "./preferred.ts";
import { type Line, lineText, proofLines } from "./proof.ts";
import { requestName, shortName, waitsText } from "./request.ts";
import { lostText, sourceText } from "./source.ts";
import { type Clause, plain, sentenceOf } from "./words.ts";

/** The facts of an explanation, how the reason follows from them, and notes below. */
interface Explained extends Facts {
  readonly body: ExplanationBody;
  readonly notes: readonly Note[];
}

/** The whole prose of an explanation, without what would help. */
export function bodyText(explained: Explained, naming?: Naming): string {
  return linesText(bodyLines(explained, naming).map(lineText));
}

/** The same, line by line. */
export function bodyLines(explained: Explained, naming: Naming = byName): readonly Line[] {
  return [...reasonLines(explained.body, explained, naming), ...explained.notes.map((note) => lineOf(noteText(note)))];
}

/** The same below a line that already states its first sentence. */
export function linesBelow(explained: Explained, naming: Naming): readonly Line[] {
  return bodyLines(explained, naming).slice(
    explained.body.kind === "proof" || explained.body.kind === "chosen" ? 1 : 0,
  );
}

const unreadText: (unread: UnreadByOlmV1) => string = byKind({
  catalog: ({ name }) => `not everything in catalog ${name} is known`,
  catalogs: () => "the ClusterCatalogs of the cluster could not be read",
});

const reasonLines: (body: ExplanationBody, explained: Facts, naming: Naming) => readonly Line[] = byKind({
  proof: (body, explained, naming) => proofLines(explained, body.proof, naming),
  chosen: (body) => chosenLines(body.root, body.needs),
  facts: (_body, explained, naming) => factClauses(explained, naming).map(clauseLine),
  sentences: (_body, explained, naming) => factClauses(explained, naming).map((clause) => lineOf(sentenceOf(clause))),
  waits: (body) => body.requests.map((request) => lineOf(`${waitsText(request)}.`)),
  "off-chain": (body) => body.bundles.map((channels) => lineOf(offChainText(channels))),
  "no-way": (body, explained, naming) => [
    lineOf(noUpgradePathText(body)),
    ...reasonLines(body.next, explained, naming),
  ],
  limit: (body) => plainLine(`${body.isUnproven ? "no rule is known to forbid it; " : ""}${limitText(body)}`),
  "no-reason": (body) =>
    plainLine(
      body.by === "time"
        ? "the time limit was reached before the reason was found"
        : "the search for the reason ended at its limit before it found one",
    ),
  "all-or-nothing": (body) => {
    const names = body.requests.map(shortName);
    return plainLine(
      `all or nothing was requested, and ${names.join(", ")} ${names.length === 1 ? "is" : "are"} not possible`,
    );
  },
  "left-out": (body) => [
    lineOf(`There are too many to explain all of them here; run plimsoll explain ${body.package} to see why.`),
  ],
  stuck: () => [lineOf("Nothing can be done here as things are.")],
  preferred: (body, _explained, naming) => [
    lineOf(`No rule forbids it, but ${preferredText(body.preferred, naming)}.`),
  ],
  olmv1: ({ refusal, unread }) => [
    lineOf(`OLM v1: ${olmV1Text(refusal)}${unread === undefined ? "" : `; but ${unreadText(unread)}`}.`),
  ],
  "not-requested": (body) => {
    const also = body.elsewhere.map((one) => `; ${byVersion(one)} runs in ${scopeText(one.namespace ?? "")}`);
    const isOfCluster = body.scope === "cluster";
    const who = isOfCluster ? "No ClusterExtension" : "No Subscription in this namespace";
    const where = isOfCluster ? "by a ClusterExtension" : "in this namespace";
    const why = body.isEmpty
      ? `Nothing is requested ${where}, and no operator is installed ${isOfCluster ? "by one" : "in it"}`
      : `${who} requests it, and no installed operator requires it`;
    return [lineOf(`${why}${also.join("")}.`)];
  },
});

function lineOf(text: string): Line {
  return { indent: 0, text };
}

/** A clause: a sentence by itself, or a continuation of others. */
function clauseLine({ text, isPlain }: Clause): Line {
  return { indent: 0, text, isPlain };
}

function plainLine(text: string): readonly Line[] {
  return [clauseLine(plain(text))];
}

/** Which entries skip it, in each channel that has it. */
function offChainText(channels: readonly SkippedIn[]): string {
  const reasons = channels.map(({ channel, by }) => {
    const skippers = by.map(byVersion).join(" and ");
    return `in channel ${channel} ${skippers} ${by.length === 1 ? "skips" : "skip"} it`;
  });
  const why = reasons.length === 0 ? "no channel has it" : reasons.join(", ");
  return `It is not on the upgrade chain of any channel: ${why}. Only a request for exactly this version can get it.`;
}

/** What each fact says, on a line of its own; why there is no candidate may take two. */
function factClauses(explained: Facts, naming: Naming): readonly Clause[] {
  const words = new OperatorWords(explained, naming);
  return explained.facts.flatMap((fact) =>
    fact.kind === "no-candidates" ? noCandidatesTexts(fact, words).map(plain) : [factClause(fact, words)],
  );
}

function limitText({ limit, maxConflicts }: Extract<ExplanationBody, { readonly kind: "limit" }>): string {
  const end = {
    time: ": the time limit was reached",
    cost: ": the CEL rules exceeded their total cost limit",
    conflicts: `, at the limit of ${counted(maxConflicts, "conflict")}`,
  }[limit];
  return `the search ended before this was decided${end}`;
}

const noteText: (note: Note) => string = byKind({
  priority: () =>
    "When requests conflict, as many as possible are satisfied; ties are broken by priority (plimsoll.dev/priority), then name.",
  displaces: (note) => {
    const names = note.requests.map(requestName);
    return `If it is requested all the same, ${enumerated(names)} ${names.length === 1 ? "has" : "have"} no operator.`;
  },
  unavailable: (note) => `This is not certain: catalog ${note.catalog} is not available (${note.reason}).`,
  "perhaps-better": (note) => {
    const catalogs = note.catalogs.map(({ name, reason }) => `catalog ${name} (${reason})`);
    return `Not available, and perhaps better: ${catalogs.join(", ")}.`;
  },
  lost: (note) => `This is not certain: ${lostText(note.lost)}.`,
  "more-lost": (note) =>
    `${note.count} more ${note.count === 1 ? "part of the catalogs was" : "parts of the catalogs were"} left out.`,
  "may-move": ({ installed, request, none }) =>
    `This is not certain: whether ${byVersion(installed)} can be updated is not known; ${sourceText(none, request)}.`,
});
