// Which clusters, users and contexts do the kubeconfig files define? Found, read and merged as kubectl does.
//
// The entries are read by client-node (`config_types.js`, what its KubeConfig uses itself). Finding and merging is ours:
// its KubeConfig fails on a file that KUBECONFIG names and does not exist, refuses an entry of two files instead of taking
// the first, takes the current context of the last file, and quotes the text of the file when its YAML is broken. It
// does not know `tokenFile`, `as-groups`, `as-uid`, `as-user-extra` and extensions; these are read here from the entry.

import { readFileSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import {
  ActionOnInvalid,
  type Cluster,
  type Context,
  newClusters,
  newContexts,
  newUsers,
  type User,
} from "@kubernetes/client-node/dist/config_types.js";
import { boolCoreTag, FAILSAFE_SCHEMA, load, mergeTag, nullCoreTag, YAMLException } from "js-yaml";
import { NetFailure } from "../net/failure.ts";
import { fileReason } from "../net/file-text.ts";
import { homeDirectory } from "../net/home-directory.ts";
import { field, listField, textField } from "../net/json-fields.ts";
import { enumerated, quoted } from "../text/words.ts";

/** An entry as it is written, and the directory that its paths are relative to. */
export interface Entry<Read> {
  readonly read: Read;
  readonly written: unknown;
  readonly directory: string;
}

export interface Kubeconfig {
  /** The files, for messages. */
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, Entry<Context>>;
  readonly clusters: ReadonlyMap<string, Entry<Cluster>>;
  readonly users: ReadonlyMap<string, Entry<User>>;
}

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 100;
const MAX_ALIASES = 100;

/** All values are texts but true, false and null: a token of digits stays as it is written. */
const SCHEMA = FAILSAFE_SCHEMA.withTags(boolCoreTag, nullCoreTag, mergeTag);

/** The files to read, in order, and whether each must exist. */
function wantedFiles(
  chosen: string | undefined,
  environment: NodeJS.ProcessEnv,
): { readonly files: readonly string[]; readonly origin: "flag" | "environment" | "home" } {
  if (chosen !== undefined) return { files: [chosen], origin: "flag" };
  const named = (environment.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  if (named.length > 0) return { files: [...new Set(named)], origin: "environment" };
  const home = homeDirectory(environment);
  return { files: home === undefined ? [] : [join(home, ".kube", "config")], origin: "home" };
}

/** The merged kubeconfig; undefined if none was named and there is none in the home directory. */
export function readKubeconfig(chosen: string | undefined, environment: NodeJS.ProcessEnv): Kubeconfig | undefined {
  const { files, origin } = wantedFiles(chosen, environment);
  const found = files.flatMap((file) => {
    const text = textOf(file, origin);
    return text === undefined ? [] : [{ file, document: documentOf(file, text) }];
  });
  if (found.length === 0) {
    if (origin === "home") return undefined;
    throw new NetFailure("config", `no file of KUBECONFIG exists: ${enumerated(files.map((file) => quoted(file)))}`, {
      help: "correct KUBECONFIG, or name a file with --kubeconfig",
    });
  }
  return merged(found);
}

/** The text of a file; undefined if it does not exist and need not. */
function textOf(file: string, origin: "flag" | "environment" | "home"): string | undefined {
  try {
    if (statSync(file).size > MAX_BYTES)
      throw new NetFailure("config", `the kubeconfig ${quoted(file)} is larger than 16 MiB`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof NetFailure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && origin !== "flag") return undefined;
    const help = origin === "flag" ? "check the path after --kubeconfig" : "check the file and its permissions";
    throw new NetFailure("config", `the kubeconfig ${quoted(file)} cannot be read: ${fileReason(code)}`, { help });
  }
}

function documentOf(file: string, text: string): unknown {
  if (text.trim() === "") return undefined;
  let document: unknown;
  try {
    document = load(text, { schema: SCHEMA, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES, json: true });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // The exception's own text quotes the file.
    const line = error.mark === undefined ? "" : `, line ${error.mark.line + 1}`;
    throw new NetFailure("config", `the kubeconfig ${quoted(file)} is not valid YAML${line}`, {
      help: "correct the file; kubectl config view reads it, too",
    });
  }
  if (document === null || document === undefined) return undefined;
  const kind = textField(document, "kind");
  if (typeof document !== "object" || Array.isArray(document) || (kind !== undefined && kind !== "Config"))
    throw new NetFailure("config", `${quoted(file)} is not a kubeconfig`, {
      help: "name a file with clusters, users and contexts",
    });
  return document;
}

/** The first file that has an entry, or a current context, counts. */
function merged(found: readonly { readonly file: string; readonly document: unknown }[]): Kubeconfig {
  const contexts = new Map<string, Entry<Context>>();
  const clusters = new Map<string, Entry<Cluster>>();
  const users = new Map<string, Entry<User>>();
  const invalid = { onInvalidEntry: ActionOnInvalid.FILTER };
  let currentContext: string | undefined;
  for (const { file, document } of found) {
    const directory = dirname(file);
    currentContext ??= textField(document, "current-context");
    collect(contexts, listField(document, "contexts"), directory, (entry) => newContexts([entry], invalid)[0]);
    collect(clusters, listField(document, "clusters"), directory, (entry) => newClusters([entry], invalid)[0]);
    collect(users, listField(document, "users"), directory, (entry) => newUsers([withoutTokenFile(entry)], invalid)[0]);
  }
  return { files: found.map(({ file }) => file), currentContext, contexts, clusters, users };
}

/** Client-node reads the file of `token-file` at once, which is no field of a kubeconfig. */
function withoutTokenFile(entry: unknown): unknown {
  return { name: field(entry, "name"), user: { ...Object(field(entry, "user")), "token-file": undefined } };
}

function collect<Read>(
  into: Map<string, Entry<Read>>,
  entries: readonly unknown[],
  directory: string,
  read: (entry: unknown) => Read | undefined,
): void {
  for (const entry of entries) {
    const name = textField(entry, "name");
    const value = read(entry);
    if (name !== undefined && value !== undefined && !into.has(name))
      into.set(name, { read: value, written: entry, directory });
  }
}

/** A path of an entry: relative ones begin at the directory of its file. */
export function pathIn(directory: string, path: string): string {
  return isAbsolute(path) ? path : join(directory, path);
}
