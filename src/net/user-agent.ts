// What does a request say of who sends it? As kubectl: program, version and platform. API servers take the part before the slash as
// the manager of the fields that are written.

declare const PLIMSOLL_VERSION: string;

/** Names of Go, as kubectl uses them, where Node has others. */
const GO_NAMES: Readonly<Record<string, string>> = { win32: "windows", x64: "amd64", ia32: "386" };

/** `plimsoll/0.1.0 (linux/amd64)`. */
export function userAgent(): string {
  const [system, architecture] = [process.platform, process.arch].map((name) => GO_NAMES[name] ?? name);
  return `plimsoll/${PLIMSOLL_VERSION} (${system}/${architecture})`;
}
