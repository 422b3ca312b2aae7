// Which files does an image have? Its layers on top of each other: what a layer removes is removed from those below it, and what
// it adds replaces what was there. Links are followed inside the image only.

import { NetFailure } from "../net/failure.ts";
import { counted, quoted } from "../text/words.ts";
import { isWithin, joined, partsOf, splitPath } from "./image-path.ts";
import type { KeptEntry, KeptLayer } from "./kept-layer.ts";

/** A file of an image. */
export interface ImageFile {
  /** Without a leading slash, `.` and `..`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Something below a wanted directory that is no file. */
export interface SkippedPath {
  readonly path: string;
  readonly reason: string;
}

export interface MergedLayers {
  /** In the order of the bytes of their paths. */
  readonly files: readonly ImageFile[];
  readonly skipped: readonly SkippedPath[];
  /** Directories that wanted ones are links to, of which nothing was kept: the layers have to be read for them, too. */
  readonly elsewhere: readonly string[];
}

type Node = Settled | { readonly kind: "symlink"; readonly target: string };

/** What a path can lead to when every link is followed. */
type Settled =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly kind: "other"; readonly reason: string }
  | Directory;

interface Directory {
  readonly kind: "directory";
  readonly children: Map<string, Node>;
}

/** As many links as Linux follows. */
const MAX_LINKS = 40;
const MAX_NODES = 500_000;
/** Parts of paths that are looked up, for all files and links together. */
const MAX_STEPS = 50_000_000;
const CYCLE = "symbolic links form a cycle";

/** The files below the wanted directories; all layers were read for the directories `asked`, which include them. */
export function mergedLayers(
  layers: readonly KeptLayer[],
  wanted: readonly string[],
  asked: readonly string[],
): MergedLayers {
  const tree = new ImageTree(asked);
  for (const layer of layers) {
    for (const path of layer.removed) tree.remove(path);
    for (const path of layer.emptied) tree.empty(path);
    for (const entry of layer.entries) tree.add(entry);
  }
  const files = new Map<string, Uint8Array>();
  const elsewhere = new Set<string>();
  for (const path of wanted) {
    const end = tree.follow(path);
    switch (end.kind) {
      case "directory":
        tree.list(path, end, files);
        break;
      case "outside":
        elsewhere.add(end.path);
        break;
      case "missing":
        if (end.links > 0) tree.skipped.set(path, "a symbolic link to a directory that does not exist");
        break;
      case "cycle":
        tree.skipped.set(path, CYCLE);
        break;
      case "file":
      case "other":
        tree.skipped.set(path, "not a directory");
        break;
    }
  }
  return {
    files: inByteOrder([...files].map(([path, bytes]) => ({ path, bytes }))),
    skipped: inByteOrder([...tree.skipped].map(([path, reason]) => ({ path, reason }))),
    elsewhere: [...elsewhere],
  };
}

/** Where a path leads when every link on it is followed. */
type End =
  | Settled
  | { readonly kind: "missing"; readonly path: string; readonly links: number }
  /** It may exist, but nothing of it was kept. */
  | { readonly kind: "outside"; readonly path: string }
  | { readonly kind: "cycle" };

interface Walked {
  /** The path without links. */
  readonly parts: readonly string[];
  /** How many links were followed. */
  readonly links: number;
  /** What is there, if something is. */
  readonly node: Settled | undefined;
}

class ImageTree {
  readonly skipped: Map<string, string> = new Map();
  readonly #root: Directory = { kind: "directory", children: new Map() };
  readonly #asked: readonly string[];
  #nodes = 0;
  #steps = 0;

  constructor(asked: readonly string[]) {
    this.#asked = asked;
  }

  remove(path: string): void {
    const { directory, name } = splitPath(path);
    const parent = this.follow(directory);
    if (parent.kind === "directory") parent.children.delete(name);
  }

  empty(path: string): void {
    const directory = this.follow(path);
    if (directory.kind === "directory") directory.children.clear();
  }

  add(entry: KeptEntry): void {
    const { directory, name } = splitPath(entry.path);
    const parent = this.#madeDirectory(directory);
    if (parent === undefined) {
      this.skipped.set(entry.path, CYCLE);
      return;
    }
    const before = parent.children.get(name);
    if (entry.kind === "directory" && before?.kind === "directory") return;
    if (before === undefined) this.#count();
    parent.children.set(name, this.#nodeOf(entry));
  }

  #nodeOf(entry: KeptEntry): Node {
    switch (entry.kind) {
      case "file":
        return { kind: "file", bytes: entry.bytes };
      case "symlink":
        return { kind: "symlink", target: entry.target };
      case "directory":
        return { kind: "directory", children: new Map() };
      case "other":
        return { kind: "other", reason: entry.what };
      case "link":
        return this.#linked(entry.target);
    }
  }

  /** What a hard link is: the file that has the other name. */
  #linked(target: string): Node {
    const { directory, name } = splitPath(target);
    const parent = this.follow(directory);
    const node = parent.kind === "directory" ? parent.children.get(name) : undefined;
    if (node !== undefined && node.kind !== "directory") return node;
    const what = `a hard link to ${quoted(`/${target}`)}`;
    if (node !== undefined) return { kind: "other", reason: `${what}, which is a directory` };
    return { kind: "other", reason: this.#isKept(target) ? `${what}, which does not exist` : this.#notBelow(what) };
  }

  /** The directory of a path, made if it does not exist. A link on the way is followed; a file is replaced. */
  #madeDirectory(path: string): Directory | undefined {
    const real = this.#walk(path);
    if (real === undefined) return undefined;
    let directory = this.#root;
    for (const part of real.parts) {
      const child = directory.children.get(part);
      if (child?.kind === "directory") directory = child;
      else {
        if (child === undefined) this.#count();
        const made: Directory = { kind: "directory", children: new Map() };
        directory.children.set(part, made);
        directory = made;
      }
    }
    return directory;
  }

  follow(path: string): End {
    const real = this.#walk(path);
    if (real === undefined) return { kind: "cycle" };
    const { node, parts, links } = real;
    if (node !== undefined) return node;
    const end = parts.join("/");
    return this.#isKept(end) ? { kind: "missing", path: end, links } : { kind: "outside", path: end };
  }

  /** Follows every link of a path; undefined if there are too many. */
  #walk(path: string): Walked | undefined {
    // The next part is the last of the list.
    const ahead = partsOf(path).toReversed();
    const parts: string[] = [];
    // The nodes of the parts; the root is the first. Undefined where nothing is.
    const nodes: (Settled | undefined)[] = [this.#root];
    let links = 0;
    for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
      if (++this.#steps > MAX_STEPS) throw tooMuch("more links than can be followed");
      if (part === "" || part === ".") continue;
      if (part === "..") {
        // The root is its own parent.
        if (parts.pop() !== undefined) nodes.pop();
        continue;
      }
      const at = nodes.at(-1);
      const node = at?.kind === "directory" ? at.children.get(part) : undefined;
      if (node?.kind === "symlink") {
        if (++links > MAX_LINKS) return undefined;
        // One by one: a target of the cache has any length, and a call takes only so many arguments.
        for (const next of node.target.split("/").toReversed()) ahead.push(next);
        if (node.target.startsWith("/")) {
          parts.length = 0;
          nodes.length = 1;
        }
        continue;
      }
      parts.push(part);
      nodes.push(node);
    }
    return { parts, links, node: nodes.at(-1) };
  }

  /** The files below a directory, under the path that it is known by. */
  list(path: string, directory: Directory, files: Map<string, Uint8Array>): void {
    const waiting: [string, Directory][] = [[path, directory]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [at, { children }] = next;
      for (const [name, node] of children) {
        const below = joined(at, name);
        if (node.kind === "directory") waiting.push([below, node]);
        else if (node.kind === "file") files.set(below, node.bytes);
        else if (node.kind === "other") this.skipped.set(below, node.reason);
        else this.#listLink(below, joined(at, node.target), node.target, files);
      }
    }
  }

  #listLink(path: string, relative: string, target: string, files: Map<string, Uint8Array>): void {
    const end = this.follow(target.startsWith("/") ? target : relative);
    const what = `a symbolic link to ${quoted(target)}`;
    switch (end.kind) {
      case "file":
        files.set(path, end.bytes);
        break;
      case "cycle":
        this.skipped.set(path, CYCLE);
        break;
      case "missing":
        this.skipped.set(path, `${what}, which does not exist`);
        break;
      case "directory":
        this.skipped.set(path, `${what}, which is a directory`);
        break;
      case "outside":
        this.skipped.set(path, this.#notBelow(what));
        break;
      case "other":
        this.skipped.set(path, `${what}, which is ${end.reason}`);
        break;
    }
  }

  #isKept(path: string): boolean {
    return this.#asked.some((directory) => isWithin(path, directory));
  }

  #notBelow(what: string): string {
    return `${what}, which is outside of ${this.#asked.map((path) => quoted(`/${path}`)).join(", ")}`;
  }

  #count(): void {
    if (++this.#nodes > MAX_NODES) throw tooMuch(`more than ${counted(MAX_NODES, "file")}, which is the limit`);
  }
}

function tooMuch(what: string): NetFailure {
  return new NetFailure("malformed", `the image has ${what}`, {
    help: "build an image that contains only the catalog",
  });
}

function inByteOrder<Item extends { readonly path: string }>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, key: Buffer.from(item.path) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ item }) => item);
}
