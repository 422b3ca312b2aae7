// Which login does a credential helper have? A program `docker-credential-NAME` of the PATH that reads a server and prints what is
// stored for it.

import { NetFailure } from "../net/failure.ts";
import { fileReason } from "../net/file-text.ts";
import { withoutSecrets } from "../net/hide-secrets.ts";
import { field, parsedJson, textField } from "../net/json-fields.ts";
import { run } from "../net/program.ts";
import { quoted, timeText } from "../text/words.ts";
import { type Login, loginOf } from "./login.ts";

const MAX_WAIT = 30_000;
/** A name is a part of a file name, never a path. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export interface CredentialHelper {
  /** As a configuration file has it: `desktop`, `ecr-login`. */
  readonly name: string;
  /** The file, for messages. */
  readonly origin: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** The login for a server; undefined if the helper has none. */
export async function helperLogin(
  { name, origin, environment, timeout = MAX_WAIT }: CredentialHelper,
  server: string,
  signal: AbortSignal,
): Promise<Login | undefined> {
  if (!NAME.test(name))
    throw new NetFailure("config", `${origin} names the credential helper ${quoted(name)}, which is not a name`, {
      help: "write NAME for a program docker-credential-NAME",
    });
  const command = `docker-credential-${name}`;
  const helper = `the credential helper ${quoted(command)} of ${origin}`;
  const failed = (what: string, help: string): NetFailure =>
    new NetFailure("credentials", `${helper} ${what}`, { help });
  const ending = await run({ command, args: ["get"], environment, input: `${server}\n`, signal, timeout });
  switch (ending.end) {
    case "not-started":
      throw ending.code === "ENOENT"
        ? failed("is not installed", "install it, or log in without it")
        : failed(`cannot be started: ${fileReason(ending.code)}`, "check its permissions");
    case "too-slow":
      throw failed(`did not end within ${timeText(timeout)}`, "run it alone to see what it waits for");
    case "too-much":
      throw failed("printed more than 1 MiB", "check that it is a credential helper");
    case "exited":
      break;
  }
  const { code, killedBy, output, errors } = ending;
  if (code !== 0) {
    // The protocol has no other sign for it than this sentence.
    if (/credentials not found/i.test(`${output} ${errors}`.slice(0, 4096))) return undefined;
    const how = code === null ? `was ended by ${killedBy}` : `failed with exit code ${code}`;
    const said = withoutSecrets(errors.trim() === "" ? output : errors);
    throw failed(`${how}${said === "" ? "" : `: ${said}`}`, "run it alone, or log in again");
  }
  const printed = parsedJson(output);
  const user = field(printed, "Username");
  const secret = textField(printed, "Secret");
  if (typeof user !== "string" || secret === undefined)
    throw failed("did not print a user name and a secret", "run it alone to see what it prints");
  return loginOf(helper, user, secret);
}
