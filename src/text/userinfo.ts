// What is a text without the passwords of the URLs in it?

/** Names, ports and paths of a URL stay; a user name and a password in it, which may contain an @, do not. */
export function withoutUserinfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s?#]*@/gi, "$1");
}
