// What does a response mean that is not the answer? Its status and the server's own words as a failure.

import { STATUS_CODES } from "node:http";
import { errorText } from "../net/error-text.ts";
import { type FailureKind, NetFailure } from "../net/failure.ts";
import { withoutSecrets } from "../net/hide-secrets.ts";
import { field, parsedJson, textField } from "../net/json-fields.ts";
import type { Asked } from "../net/network-failure.ts";
import { PASSING_STATUSES, Passing, retryAfterOf } from "../net/retry.ts";
import type { Response } from "../net/transport.ts";
import { quoted } from "../text/words.ts";

/** What is done with a path, in sentences: `fails to …`, `forbids …`. */
const VERBS = {
  get: ["read", "reading"],
  watch: ["watch", "watching"],
  create: ["create an object in", "creating objects in"],
  update: ["update", "updating"],
  patch: ["patch", "patching"],
  delete: ["delete", "deleting"],
} as const;

export type Verb = keyof typeof VERBS;

/** What was asked, and what a message must not contain. */
export interface Question extends Asked {
  readonly verb: Verb;
  readonly context: string | undefined;
  /** The path without its query. */
  readonly path: string;
  readonly secrets: readonly string[];
}

/** What messages say about the API server of a context. */
export function askedServer(server: string, context: string | undefined): Asked & Pick<Question, "context"> {
  const cluster = context === undefined ? "the cluster" : `the cluster of the context ${quoted(context)}`;
  return {
    context,
    peer: `the API server ${server}`,
    address: `the server's address in ${cluster}`,
    trust: `set certificate-authority of ${cluster} to the authority that signed it`,
    rename: `use one of its names as the server of ${cluster}, or set tls-server-name`,
    renew: context === undefined ? "renew it" : `renew the credentials of the context ${quoted(context)}`,
  };
}

/** Throws unless the response has one of these statuses. */
export async function expectStatus(response: Response, question: Question, allowed: readonly number[]): Promise<void> {
  const { status, headers } = response;
  if (allowed.includes(status)) return;
  if (status >= 300 && status < 400) throw redirected(response, question);
  const failure = statusFailure(status, await errorText(response), question, headers["retry-after"]);
  throw PASSING_STATUSES.has(status) ? new Passing(failure, failure.retryAfter) : failure;
}

/** What is done has succeeded: read, created, or accepted for later. */
const SUCCESS = [200, 201, 202];

/** Throws unless the response is JSON with the status 200; that of a write may have another one. */
export async function expectJson(response: Response, question: Question): Promise<void> {
  await expectStatus(response, question, isWrite(question) ? SUCCESS : [200]);
  const { status, headers } = response;
  const type = headers["content-type"] ?? "";
  if (/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return;
  const shown = quoted(withoutSecrets(type, question.secrets), 60);
  throw new NetFailure("malformed", `${question.peer} answers ${question.path} with ${shown} instead of JSON`, {
    status,
    help: "check that the address is that of an API server; a proxy may want a login",
  });
}

function redirected({ status, headers }: Response, { peer, path, secrets }: Question): NetFailure {
  const target = withoutSecrets(headers.location ?? "", secrets).replace(/[?#].*$/s, "");
  return new NetFailure("malformed", `${peer} redirects ${path} to ${quoted(target)}, which is not followed`, {
    status,
    help: "use the address of the API server itself; a proxy may want a login",
  });
}

function isWrite({ verb }: Question): boolean {
  return verb !== "get" && verb !== "watch";
}

function kindOf(status: number, reason: string | undefined, question: Question): FailureKind {
  switch (status) {
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not-found";
    case 429:
      return "throttled";
    default:
      if (!isWrite(question)) return status === 410 ? "expired" : "server";
      if (status === 409) return reason === "AlreadyExists" ? "exists" : "conflict";
      return status < 500 ? "invalid" : "server";
  }
}

/** The error that a watch reports: a Status. Its code counts; without one, the server has failed. */
export function watchFailure(status: string, question: Question): NetFailure {
  const code = field(parsedJson(status), "code");
  const isFailure = typeof code === "number" && Number.isInteger(code) && code >= 400 && code < 600;
  return statusFailure(isFailure ? code : 500, status, question);
}

/** A status code that is not a success as a failure. `body` should be a Status object; `retryAfter` is the header. */
function statusFailure(status: number, body: string, question: Question, retryAfter?: string): NetFailure {
  const { peer, context, path, secrets, verb } = question;
  const answer = parsedJson(body);
  const said = textField(answer, "message");
  const words = said === undefined ? (STATUS_CODES[status] ?? "no reason given") : withoutSecrets(said, secrets);
  const kind = kindOf(status, textField(answer, "reason"), question);
  const [todo, doing] = VERBS[verb];
  const user = context === undefined ? "this user" : `the user of the context ${quoted(context)}`;
  const gone =
    verb === "watch"
      ? `does not know the changes of ${path} that far back`
      : `does not know this page of ${path} any more`;
  const sentence: Partial<Record<FailureKind, readonly [string, string]>> = {
    unauthorized: [`does not accept the credentials: ${words}`, `renew the credentials of ${user}`],
    forbidden: [`forbids ${doing} ${path}: ${words}`, `ask for permission for ${user}, or use another context`],
    "not-found": [`has no ${path}: ${words}`, "check that the API is installed, and the name"],
    expired: [`${gone}: ${words}`, "try again"],
    conflict: [`refuses to ${todo} ${path} because of a conflict: ${words}`, "read it again, and repeat the change"],
    exists: [`refuses to ${todo} ${path} because it exists: ${words}`, "update it, or choose another name"],
    invalid: [`does not accept what it was sent to ${todo} ${path}: ${words}`, "correct the object"],
    throttled: [`has too many requests: ${words}`, "try again later"],
  };
  const [what, help] = sentence[kind] ?? [
    `fails to ${todo} ${path} with status ${status}: ${words}`,
    "look at the logs of the API server",
  ];
  const wait = retryAfterOf(retryAfter ?? String(field(field(answer, "details"), "retryAfterSeconds")));
  return new NetFailure(kind, `${peer} ${what}`, {
    status,
    help,
    words,
    ...(wait !== undefined && { retryAfter: wait }),
  });
}
