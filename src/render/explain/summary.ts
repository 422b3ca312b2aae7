// What is the answer in one line? What runs and what is to come are distinguished.

import type { SubjectExplanation } from "../../resolve/explain/subject.ts";
import { isChangeOf } from "../../resolve/explain/why-absent.ts";
import type { PackageChange, ResolvedOperator, Unsatisfied } from "../../resolve/resolution.ts";
import { listed } from "../../text/words.ts";
import { versionBefore, versionIn, versionText } from "../resolve/shown.ts";
import { scopeText } from "../sentence/names.ts";
import { reasonText } from "../sentence/reason.ts";
import { requestName } from "../sentence/request.ts";
import { isInAnswer, type ShownExplanation, subjectText } from "./shown.ts";

/** "lamp-oil 0.4.0 is to be installed in drydock: needed by lantern 1.5.0 for API Fuel". */
export function summaryOf(shown: ShownExplanation): string {
  return SUMMARIES[shown.answer.verdict](shown.answer);
}

const SUMMARIES: Readonly<Record<SubjectExplanation["verdict"], (answer: SubjectExplanation) => string>> = {
  chosen: (answer) => `${chosenSummary(answer)}${refusedRequests(answer)}`,
  heldBack: (answer) => `${heldBackSummary(answer)}${refusedRequests(answer)}`,
  refused: refusedSummary,
  replaced: (answer) => `${replacedSummary(answer)}${refusedRequests(answer)}`,
  notRequested: notRequestedSummary,
};

/** A note that requests for it are not satisfied, although it runs for another reason. */
function refusedRequests({ unsatisfied }: SubjectExplanation): string {
  return unsatisfied.map((item) => `; ${notMetText(item)}`).join("");
}

/** "your request for radar-net cannot be met". */
export function notMetText({ request, undecided }: Unsatisfied): string {
  return undecided
    ? `whether ${requestName(request)} can be met is undecided`
    : `${requestName(request)} cannot be met`;
}

/** Does the subject run in the answer, or would a request be enough to install it? */
export function isGood(answer: SubjectExplanation): boolean {
  const { verdict, preferred, unsatisfied } = answer;
  if (unsatisfied.length > 0) return false;
  return isInAnswer(answer) || (verdict === "notRequested" && isEnoughToAsk(answer) && preferred === undefined);
}

/** Would a request alone be enough to install it? */
function isEnoughToAsk({ tries }: SubjectExplanation): boolean {
  return tries.some(({ after }) => after === undefined);
}

/** Is nothing else requested or installed, so that only the catalogs are in question? */
function isAboutNothingElse({ explanation: { body } }: SubjectExplanation): boolean {
  return body.kind === "not-requested" && body.isEmpty;
}

function chosenSummary({ namespace, subject, operators }: SubjectExplanation): string {
  const operator = operators[0] as ResolvedOperator;
  const { action } = operator;
  const reason = reasonText(operator);
  const before = versionBefore(operator);
  if (before !== undefined)
    return `${subject.package} goes from ${before} to ${versionText(operator)} in ${scopeText(namespace)}: ${reason}`;
  const what = `${subject.package} ${versionText(operator)}`;
  return action === "keep"
    ? `${what} runs in ${scopeText(namespace)} and ${reason}`
    : `${what} is to be installed in ${scopeText(namespace)}: ${reason}`;
}

/** "oakum 1.9.0 runs in namespace drydock and becomes hull-caulk 2.0.0". */
function replacedSummary({ namespace, operators }: SubjectExplanation): string {
  const operator = operators[0] as ResolvedOperator;
  return `${versionBefore(operator)} runs in ${scopeText(namespace)} and becomes ${versionAfter(operator)}: ${reasonText(operator)}`;
}

function heldBackSummary(answer: SubjectExplanation): string {
  const { namespace, subject, operators, available } = answer;
  const [operator] = operators;
  if (operator !== undefined && available.length === 0) return openSummary(answer, operator);
  const versions = available.map((one) => versionIn(subject.package, one));
  if (operator === undefined)
    return `${subjectText(answer)} waits for approval in ${scopeText(namespace)}: ${listed(versions)}`;
  const waits = waitingChange(answer);
  if (waits !== undefined)
    return `${subject.package} stays at ${versionText(operator)} in ${scopeText(namespace)} until ${targetOf(waits, answer)} is approved`;
  const offered = `${listed(versions)} ${versions.length === 1 ? "is" : "are"} available`;
  const before = versionBefore(operator);
  if (before !== undefined)
    return `${subject.package} is held back in ${scopeText(namespace)}: it runs ${before} and only goes to ${versionText(operator)}, though ${offered}`;
  return operator.action === "keep"
    ? `${subject.package} is held back at ${versionText(operator)} in ${scopeText(namespace)}, though ${offered}`
    : `${subject.package} is held back in ${scopeText(namespace)}: ${versionText(operator)} is to be installed, though ${offered}`;
}

function waitingChange({ pending, subject, operators }: SubjectExplanation): PackageChange | undefined {
  return pending.flatMap(({ changes }) => changes).find((change) => isChangeOf(change, subject, { operators }));
}

/** The version that waits, with its package if that is another one. */
function targetOf({ package: owner, to }: PackageChange, { subject }: SubjectExplanation): string {
  const version = versionIn(owner, to);
  return owner === subject.package ? version : `${owner} ${version}`;
}

function refusedSummary(answer: SubjectExplanation): string {
  const { namespace, undecided, operators } = answer;
  const what = subjectText(answer);
  if (undecided) return `whether ${what} can be installed in ${scopeText(namespace)} is undecided`;
  const [operator] = operators;
  if (operator === undefined) return `${what} cannot be installed in ${scopeText(namespace)}`;
  const before = versionBefore(operator);
  if (before !== undefined)
    return `${what} cannot be reached: ${before} runs in ${scopeText(namespace)} and goes to ${versionAfter(operator)}`;
  return operator.action === "keep"
    ? `${what} cannot be reached: ${versionText(operator)} runs in ${scopeText(namespace)} and stays`
    : `${what} cannot be installed in ${scopeText(namespace)}; ${versionText(operator)} is installed instead`;
}

/** It runs and stays, and its request has no other candidate. */
function openSummary({ namespace, subject, undecided }: SubjectExplanation, operator: ResolvedOperator): string {
  const runs = `${subject.package} ${versionText(operator)} runs in ${scopeText(namespace)} and stays`;
  return undecided
    ? `${runs}; whether it can be updated is undecided`
    : `${runs}, but what is requested does not exist`;
}

function notRequestedSummary(answer: SubjectExplanation): string {
  const { namespace, tries, undecided, operators, preferred } = answer;
  const what = subjectText(answer);
  const [operator] = operators;
  const waits = waitingChange(answer);
  if (waits !== undefined)
    return `${what} is possible in ${scopeText(namespace)}, but ${targetOf(waits, answer)} is preferred and waits for approval`;
  if (operator !== undefined) return `${what} is possible in ${scopeText(namespace)}, but ${insteadText(operator)}`;
  if (preferred !== undefined) return `${what} is possible in ${scopeText(namespace)}, but it is not what is requested`;
  if (isAboutNothingElse(answer)) return `${what} could be installed in ${scopeText(namespace)}`;
  if (isEnoughToAsk(answer)) return `${what} is not requested in ${scopeText(namespace)}, but could be installed`;
  if (undecided)
    return `${what} is not requested in ${scopeText(namespace)}; whether it could be installed is undecided`;
  if (tries.length > 0)
    return `${what} is not requested in ${scopeText(namespace)}, and it could not be installed beside what is requested`;
  return `${what} is not requested in ${scopeText(namespace)}, and it could not be installed`;
}

function insteadText(operator: ResolvedOperator): string {
  const [before, version] = [versionBefore(operator), versionText(operator)];
  if (before !== undefined) return `${before}, which runs, goes to ${versionAfter(operator)}`;
  return operator.action === "keep" ? `${version} runs and stays` : `${version} is chosen`;
}

/** The version that an operator is updated to, with its package if that changes. */
function versionAfter(operator: ResolvedOperator): string {
  const { package: now, installed } = operator;
  return installed?.package === now ? versionText(operator) : `${now} ${versionText(operator)}`;
}
