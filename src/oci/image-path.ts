// Where is something in an image? A path from its root, without a leading slash, `.` and `..`.

/** The path, normalised; undefined if it leaves the root. Absolute paths begin at the root, too. */
export function imagePath(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** Is a path a directory itself, or below it? Everything is below the root. */
export function isWithin(path: string, directory: string): boolean {
  return (
    directory === "" ||
    (path.startsWith(directory) && (path.length === directory.length || path[directory.length] === "/"))
  );
}

/** The names that a path consists of; the root has none. */
export function partsOf(path: string): readonly string[] {
  return path === "" ? [] : path.split("/");
}

/** A path below a directory. */
export function joined(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/** The directory that a path is in, and its name there. */
export function splitPath(path: string): { readonly directory: string; readonly name: string } {
  const slash = path.lastIndexOf("/");
  return { directory: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
}
