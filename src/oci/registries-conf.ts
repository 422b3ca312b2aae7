// Which mirrors does this machine have, and which registries are insecure or blocked? registries.conf and its drop-in files, read as
// podman reads them.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { NetFailure } from "../net/failure.ts";
import { fileText } from "../net/file-text.ts";
import { field, listField, textField } from "../net/json-fields.ts";
import { quoted } from "../text/words.ts";
import { type ConfigPlace, systemPath, userContainers } from "./config-paths.ts";
import type { Mirror, MirrorRule } from "./mirrors.ts";

const MAX_FILES = 1000;
const MAX_ENTRIES = 10_000;
const PULLS: Readonly<Record<string, Mirror["pulls"]>> = { all: "all", "digest-only": "digest", "tag-only": "tag" };
const DROP_INS = "registries.conf.d";
const HELP = "correct the file, or name another one in CONTAINERS_REGISTRIES_CONF";

/** The rules of all files. A later file replaces the rule of an earlier one for the same prefix. */
export async function registriesConf(place: ConfigPlace): Promise<readonly MirrorRule[]> {
  const rules = new Map<string, MirrorRule>();
  const files = confFiles(place);
  // Most machines have no such file, and need no parser.
  if (files.length === 0) return [];
  const { parse, TomlError } = await import("smol-toml");
  for (const file of files) {
    const shown = `the file ${quoted(file)}`;
    const text = fileText(file, "the configuration of registries", HELP);
    let value: unknown;
    try {
      value = parse(text);
    } catch (error) {
      // The parser's message quotes the text.
      const line = error instanceof TomlError ? `: line ${error.line}` : "";
      throw new NetFailure("config", `${shown} is not TOML${line}`, { help: HELP });
    }
    for (const rule of rulesIn(value, shown)) rules.set(rule.source, rule);
  }
  return [...rules.values()];
}

/**
 * The files in their order. The user's file replaces that of the system with its drop-in files; without it, the user's drop-in
 * files come after those of the system.
 */
function confFiles(place: ConfigPlace): readonly string[] {
  const system = systemPath(place, "containers");
  const own = userContainers(place, "registries.conf").filter((path) => existsSync(path));
  const ownDropIns = userContainers(place, DROP_INS).flatMap((directory) => dropIns(directory));
  const named = place.environment.CONTAINERS_REGISTRIES_CONF;
  if (!named && own.length > 0) return [...own, ...ownDropIns];
  const main = named || join(system, "registries.conf");
  return [...(named || existsSync(main) ? [main] : []), ...dropIns(join(system, DROP_INS)), ...ownDropIns];
}

/** The files of a directory that count. */
function dropIns(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(".conf"))
      .sort()
      .slice(0, MAX_FILES)
      .map((name) => join(directory, name));
  } catch {
    // There are none.
    return [];
  }
}

function rulesIn(value: unknown, shown: string): readonly MirrorRule[] {
  return listField(value, "registry")
    .slice(0, MAX_ENTRIES)
    .map((entry, index) => {
      const location = textField(entry, "location");
      const source = textField(entry, "prefix") ?? location;
      const of = `[[registry]] number ${index + 1} of ${shown}`;
      const wrong = (what: string): NetFailure => new NetFailure("config", `${of} ${what}`, { help: HELP });
      if (source === undefined) throw wrong("has neither a prefix nor a location");
      const digestOnly = field(entry, "mirror-by-digest-only") === true;
      return {
        source: withoutEnd(source),
        ...(location !== undefined && { location: withoutEnd(location) }),
        mirrors: listField(entry, "mirror").map((mirror) => mirrorIn(mirror, digestOnly, wrong)),
        isBlocked: field(entry, "blocked") === true,
        isInsecure: field(entry, "insecure") === true,
        origin: shown,
      };
    });
}

function mirrorIn(mirror: unknown, digestOnly: boolean, wrong: (what: string) => NetFailure): Mirror {
  const location = textField(mirror, "location");
  if (location === undefined) throw wrong("has a mirror without a location");
  const written = textField(mirror, "pull-from-mirror");
  const pulls = written === undefined ? "all" : Object.hasOwn(PULLS, written) ? PULLS[written] : undefined;
  if (pulls === undefined)
    throw wrong(`has the pull-from-mirror ${quoted(written ?? "")}, which is not one of all, digest-only and tag-only`);
  return {
    location: withoutEnd(location),
    isInsecure: field(mirror, "insecure") === true,
    pulls: digestOnly && written === undefined ? "digest" : pulls,
  };
}

function withoutEnd(location: string): string {
  return location.replace(/\/+$/, "");
}
