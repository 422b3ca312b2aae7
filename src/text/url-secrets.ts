// What is a reference, or a text with URLs in it, without its secrets? A user name with a password, a query and a fragment.

/** What is shown instead of a secret. */
export const HIDDEN = "[hidden]";

/** What is before an address and is never a secret: `NAMESPACE/NAME=`, and schemes. */
const LEAD =
  /^\s*(?:(?:[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*=)?(?:(?:oci|oci-layout|oci-archive|docker-archive):(?!\/\/))?(?:[a-z][a-z0-9+.-]*:\/\/)?(?:https?:\/*)?/i;
const URL_MARK = /:\/\/|https?:/i;
/** A host, perhaps with a path, before a query or a fragment. */
const HOST_AND_TAIL = /^\/*(?:localhost|\[[0-9a-f:.]+\]|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:))(?::[0-9]+)?(?:\/[^?#]*)?[?#]/i;
/** An @ before a digest, complete or not; `,priority=N` may follow. */
const DIGEST = /@sha(?:256|512):[^@/?#]*$/i;

/**
 * A reference, or a URL, without secrets, however it is malformed: a password may contain every character. Up to the last @ it is
 * hidden, and from the first `?` or `#`; all of it if these overlap. A path stays as it is, unless it looks like a reference whose
 * scheme was forgotten: with a colon before an @, or with a host before a query.
 */
export function withoutUrlSecrets(reference: string): string {
  const [lead = ""] = LEAD.exec(reference) ?? [];
  const rest = reference.slice(lead.length);
  const isUrl = URL_MARK.test(reference);
  const at = loginEnd(rest);
  const hasSecretLogin = at !== -1 && (isUrl || rest.slice(0, at).includes(":"));
  const tail = isUrl || hasSecretLogin || HOST_AND_TAIL.test(rest) ? rest.search(/[?#]/) : -1;
  if (hasSecretLogin && tail !== -1 && tail < at) return lead + HIDDEN;
  const shown = rest.slice(hasSecretLogin ? at + 1 : 0, tail === -1 ? undefined : tail + 1);
  return `${lead}${hasSecretLogin ? `${HIDDEN}@` : ""}${shown}${tail === -1 ? "" : HIDDEN}`;
}

/** Where the last @ of an address is that does not begin a digest; -1 if there is none. What is before it may be a password. */
export function loginEnd(address: string): number {
  return address.slice(0, DIGEST.exec(address)?.index).lastIndexOf("@");
}

/** A text that quotes references, without their secrets. */
export function withoutSecretsOf(references: readonly string[], text: string): string {
  return references
    .filter((reference) => withoutUrlSecrets(reference) !== reference)
    .sort((a, b) => b.length - a.length)
    .reduce((shown, reference) => shown.replaceAll(reference, () => withoutUrlSecrets(reference)), text);
}

const USERINFO = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s?#]*@/gi;
/** Quotes end it: they are around a URL of a text. */
const TAIL = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s?#"']*[?#])[^\s"']+/gi;

/** A text of others with well-formed URLs in it: hosts, ports and paths stay. */
export function textWithoutUrlSecrets(text: string): string {
  return text.replace(USERINFO, "$1").replace(TAIL, `$1${HIDDEN}`);
}
