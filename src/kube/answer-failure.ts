// What does a response mean that is not the answer? Its status and the server's own words as a failure.

import { STATUS_CODES } from "node:http";
import { errorText } from "../net/error-text.ts";
import { type FailureKind, NetFailure } from "../net/failure.ts";
import { withoutSecrets } from "../net/hide-secrets.ts";
import { parsedJson, textField } from "../net/json-fields.ts";
import type { Asked } from "../net/network-failure.ts";
import { PASSING_STATUSES, Passing, retryAfterOf } from "../net/retry.ts";
import type { Response } from "../net/transport.ts";
import { quoted } from "../text/words.ts";

/** What was asked, and what a message must not contain. */
export interface Question extends Asked {
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
  const failure = statusFailure(status, await errorText(response), question);
  throw PASSING_STATUSES.has(status) ? new Passing(failure, retryAfterOf(headers["retry-after"])) : failure;
}

/** Throws unless the response is JSON with the status 200. */
export async function expectJson(response: Response, question: Question): Promise<void> {
  await expectStatus(response, question, [200]);
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

function kindOf(status: number): FailureKind {
  switch (status) {
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not-found";
    case 410:
      return "expired";
    case 429:
      return "throttled";
    default:
      return "server";
  }
}

function statusFailure(status: number, body: string, question: Question): NetFailure {
  const { peer, context, path, secrets } = question;
  const said = textField(parsedJson(body), "message");
  const words = said === undefined ? (STATUS_CODES[status] ?? "no reason given") : withoutSecrets(said, secrets);
  const kind = kindOf(status);
  const user = context === undefined ? "this user" : `the user of the context ${quoted(context)}`;
  const sentence: Partial<Record<FailureKind, readonly [string, string]>> = {
    unauthorized: [`does not accept the credentials: ${words}`, `renew the credentials of ${user}`],
    forbidden: [`forbids reading ${path}: ${words}`, `ask for permission for ${user}, or use another context`],
    "not-found": [`has no ${path}: ${words}`, "check that the API is installed, and the name"],
    expired: [`does not know this page of ${path} any more: ${words}`, "try again"],
    throttled: [`has too many requests: ${words}`, "try again later"],
  };
  const [what, help] = sentence[kind] ?? [
    `fails to read ${path} with status ${status}: ${words}`,
    "look at the logs of the API server",
  ];
  return new NetFailure(kind, `${peer} ${what}`, { status, help, words });
}
