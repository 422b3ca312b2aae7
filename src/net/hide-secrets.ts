// How is text from outside put into a message? On one line, shortened, and without anything that is or looks like a
// credential: what a server or a plugin says is printed, logged and pasted into issues.

import { HIDDEN, textWithoutUrlSecrets } from "../text/url-secrets.ts";
import { shortText, visibleJson } from "../text/words.ts";

/** Text beyond this is not looked at. */
const MAX_READ = 16 * 1024;
const MAX_SHOWN = 300;
/** A shorter secret would hide parts of ordinary words. */
const SHORTEST_SECRET = 4;

/** What looks like a credential. Every pattern takes linear time. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}-----[^-]*(?:-----END [A-Z ]{0,40}-----)?/g, HIDDEN],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  // JSON Web Tokens, and the tokens of OpenShift and EKS.
  [/\beyJ[\w-]+(?:\.[\w-]*)*/g, HIDDEN],
  [/\b(?:sha256~|k8s-aws-v1\.|ya29\.)[\w.~-]+/g, HIDDEN],
  [
    /\b((?:token|password|secret|refresh_token|id_token|access_token|client_secret)["']?\s*[:=]\s*)["']?[^\s"',;&]{4,}/gi,
    `$1${HIDDEN}`,
  ],
  [/[A-Za-z0-9_~+=-]{40,}/g, HIDDEN],
];

/** The text on one line, at most 300 characters, without the given secrets and without what looks like one. */
export function withoutSecrets(text: string, secrets: readonly string[] = []): string {
  let shown = text.length <= MAX_READ ? text : text.slice(0, MAX_READ).replace(/\S{1,4096}$/, "");
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
  for (const secret of known) shown = shown.replaceAll(secret, HIDDEN);
  shown = textWithoutUrlSecrets(shown);
  for (const [pattern, replacement] of PATTERNS) shown = shown.replace(pattern, replacement);
  return visibleJson(shortText(shown, MAX_SHOWN)).slice(1, -1).replaceAll('\\"', '"').replaceAll("\\\\", "\\");
}
