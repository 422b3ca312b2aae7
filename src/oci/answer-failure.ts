// What does a registry's refusal mean? Its status and its own words as a failure.

import { STATUS_CODES } from "node:http";
import { errorText } from "../net/error-text.ts";
import { type FailureKind, NetFailure } from "../net/failure.ts";
import { withoutSecrets } from "../net/hide-secrets.ts";
import { field, listField, parsedJson, textField } from "../net/json-fields.ts";
import { PASSING_STATUSES, Passing, retryAfterOf } from "../net/retry.ts";
import type { Response } from "../net/transport.ts";

/** What was asked, for messages. */
export interface Wanted {
  /** With its registry: `image quay.io/x/y:tag`, `blob sha256:… of the image quay.io/x/y:tag`. */
  readonly what: string;
  /** What to do if it does not exist. */
  readonly missing: string;
}

/** Who answers. */
interface Answerer {
  /** For messages. */
  readonly peer: string;
  /** The host, if it should be a registry itself: not one to which a registry redirects. */
  readonly registry?: string;
}

/** The failure of a response that is not what was asked for; thrown as {@link Passing} if another attempt may succeed. */
export async function answerFailure(
  response: Response,
  { peer, registry }: Answerer,
  { what, missing }: Wanted,
  secrets: readonly string[],
): Promise<NetFailure | Passing> {
  const { status, headers } = response;
  const body = parsedJson(await errorText(response));
  const said = saidIn(body);
  const words = said === undefined ? (STATUS_CODES[status] ?? "no reason given") : withoutSecrets(said, secrets);
  const failure = (kind: FailureKind, message: string, help: string): NetFailure =>
    new NetFailure(kind, message, { status, help, words });
  if (status === 404 && registry !== undefined && said === undefined && !(API_VERSION in headers))
    return notRegistry(registry, status, `it answers for the ${what} with status 404, and not as registries do`);
  if (status === 404) return failure("not-found", `there is no ${what}: ${words}`, missing);
  if (status === 403 || status === 451)
    return failure("forbidden", `${peer} forbids reading the ${what}: ${words}`, "use credentials that may read it");
  if (status === 429)
    return new Passing(
      failure(
        "throttled",
        `${peer} has too many requests: ${words}`,
        "try again later; registries allow more after a login",
      ),
      retryAfterOf(headers["retry-after"]),
    );
  const other = failure(
    "server",
    `${peer} fails to read the ${what} with status ${status}: ${words}`,
    status >= 500 ? "try again later" : "check that the host is a registry",
  );
  return PASSING_STATUSES.has(status) ? new Passing(other, retryAfterOf(headers["retry-after"])) : other;
}

/** The header by which registries make themselves known. */
const API_VERSION = "docker-distribution-api-version";

/** Something else answers at the host. */
export function notRegistry(registry: string, status: number, reason: string): NetFailure {
  return new NetFailure("malformed", `${registry} does not look like a registry: ${reason}`, {
    status,
    help: "check the host and the port of the image; a proxy may want a login",
  });
}

/** The messages of the errors that registries list, with their details if those are a text. */
function saidIn(body: unknown): string | undefined {
  const said = listField(body, "errors")
    .slice(0, 3)
    .map((error) => textField(error, "message") ?? textField(error, "code"))
    .filter((text) => text !== undefined);
  return said.length > 0 ? said.join("; ") : (textField(body, "message") ?? textField(field(body, "error"), "message"));
}
