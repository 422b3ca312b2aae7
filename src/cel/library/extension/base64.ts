// How are bytes written in base64, and read back?

/** The standard alphabet, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(binary);
}

/** The bytes, or undefined. Padding may be left out but not be wrong, and ends of lines do not count, as in Go. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const compact = text.replace(/[\r\n]+/g, "");
  const [, characters = "", padding = ""] = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(compact) ?? [compact, "?"];
  if (characters === "?" || characters.length % 4 === 1) return undefined;
  if (padding !== "" && compact.length % 4 !== 0) return undefined;
  const binary = atob(characters);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
