// What is a text without the secrets of the URLs in it? A user name with a password, and the values of a query, such as `?token=…`.

/** What is shown instead of a secret. */
export const HIDDEN = "[hidden]";

const USERINFO = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s?#]*@/gi;
/** Quotes end it: they are around a URL, and not in one. */
const QUERY = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s?#"']*\?)([^\s#"']+)/gi;

/** Hosts, ports, paths and the names of query parameters stay; a user name and a password, which may contain an @, and values do not. */
export function withoutUrlSecrets(text: string): string {
  return text
    .replace(USERINFO, "$1")
    .replace(QUERY, (_, before: string, query: string) => before + hiddenValues(query));
}

function hiddenValues(query: string): string {
  return query
    .split("&")
    .map((pair) => (pair.includes("=") ? pair.replace(/=.*$/s, `=${HIDDEN}`) : HIDDEN))
    .join("&");
}
