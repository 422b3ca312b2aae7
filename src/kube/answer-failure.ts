// What does a response mean that is not the answer? Its status and the server's own words as a failure.

import { STATUS_CODES } from "node:http";
import { quoted } from "../text/words.ts";
import { type FailureKind, KubeFailure } from "./failure.ts";
import { withoutSecrets } from "./hide-secrets.ts";
import { parsedJson, textField } from "./json-fields.ts";
import type { Asked } from "./network-failure.ts";
import { Passing, retryAfterOf } from "./retry.ts";
import type { Response } from "./transport.ts";

const MAX_BODY = 64 * 1024;

/** Statuses that another attempt may not have. */
const PASSING = new Set([429, 500, 502, 503, 504]);

/** What was asked, and what a message must not contain. */
export interface Question extends Asked {
  /** The path without its query. */
  readonly path: string;
  readonly secrets: readonly string[];
}

/** Throws unless the response is JSON with the status 200. */
export async function expectJson(response: Response, question: Question): Promise<void> {
  const { status, headers } = response;
  const server = `the API server ${question.server}`;
  if (status >= 300 && status < 400) throw redirected(response, question);
  if (status !== 200) {
    const failure = statusFailure(status, await beginning(response), question);
    throw PASSING.has(status) ? new Passing(failure, retryAfterOf(headers["retry-after"])) : failure;
  }
  const type = headers["content-type"] ?? "";
  if (/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return;
  const shown = quoted(withoutSecrets(type, question.secrets), 60);
  throw new KubeFailure("malformed", `${server} answers ${question.path} with ${shown} instead of JSON`, {
    status,
    help: "check that the address is that of an API server; a proxy may want a login",
  });
}

function redirected({ status, headers }: Response, { server, path, secrets }: Question): KubeFailure {
  const target = withoutSecrets(headers.location ?? "", secrets).replace(/[?#].*$/s, "");
  return new KubeFailure(
    "malformed",
    `the API server ${server} redirects ${path} to ${quoted(target)}, which is not followed`,
    {
      status,
      help: "use the address of the API server itself; a proxy may want a login",
    },
  );
}

/** The first bytes of a body. */
async function beginning({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece.slice());
      bytes += piece.length;
      if (bytes > MAX_BODY) break;
    }
  } catch {
    // The status says more than the way that its text ended.
  }
  return Buffer.concat(pieces).toString();
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

function statusFailure(status: number, body: string, question: Question): KubeFailure {
  const { server, context, path, secrets } = question;
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
  return new KubeFailure(kind, `the API server ${server} ${what}`, { status, help, words });
}
