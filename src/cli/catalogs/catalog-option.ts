// Which catalogs does the command line name? What is wrong with a reference is known from its text alone, so everything that is
// wrong with any of them is said before something is read.

import { type Command, CommanderError, Option } from "commander";
import { type CatalogReference, locationOf, readCatalogReference } from "../../source/catalog-reference.ts";
import { withoutUrlSecrets } from "../../text/url-secrets.ts";
import { EXIT } from "../exit-code.ts";
import { note } from "../question/usage-error.ts";
import { openTerminal } from "../terminal.ts";

const FLAG = "--catalog <[NAME=]REF>";

/** Adds `--catalog`. The faults of all its values are reported together, before the command runs. */
export function withCatalogOption(command: Command): Command {
  const faults: string[] = [];
  const option = new Option(FLAG, "a catalog: path, oci://IMAGE, https://CATALOGD, grpc://HOST:PORT (repeatable)");
  option.defaultValue = [];
  option.argParser((text: string, before: readonly CatalogReference[]) => {
    const added = addCatalogs([text], before);
    if (typeof added !== "string") return added;
    faults.push(added);
    return before;
  });
  return command.addOption(option).hook("preAction", async () => {
    const all = [...faults, ...(await imageFaults(command.opts().catalog))];
    if (all.length === 0) return;
    const terminal = openTerminal({ color: "never" });
    for (const fault of all) note(`option '${FLAG}' is invalid. ${fault}`, terminal);
    throw new CommanderError(EXIT.usage, "plimsoll.catalog", all.join("\n"));
  });
}

/** The catalogs with more of them, each under a name of its own; or what is wrong. */
export function addCatalogs(texts: readonly string[], all: readonly CatalogReference[]): CatalogReference[] | string {
  const catalogs = [...all];
  for (const text of texts) {
    const reference = readCatalogReference(text);
    if (typeof reference === "string") return notCatalog(text, reference);
    const same = catalogs.find((other) => other.name === reference.name && other.namespace === reference.namespace);
    if (same !== undefined) {
      const [one, other] = [withoutUrlSecrets(same.path), withoutUrlSecrets(reference.path)];
      return `${one} and ${other} are both called ${JSON.stringify(same.name)}; give one of them a name: NAME=${other}`;
    }
    catalogs.push(reference);
  }
  return catalogs;
}

/** What is wrong with the names of images; only if there are some, what reads them is loaded. */
export async function imageFaults(catalogs: readonly CatalogReference[]): Promise<readonly string[]> {
  const images = catalogs.flatMap(({ path }) => {
    const location = locationOf(path);
    return location?.scheme === "image" ? [{ path, image: location.address }] : [];
  });
  if (images.length === 0) return [];
  const { readImageReference } = await import("../../oci/reference.ts");
  return images.flatMap(({ path, image }) => {
    const read = readImageReference(image);
    if (!("fault" in read)) return [];
    const hint = read.hint === undefined ? "" : `; ${read.hint}`;
    return [notCatalog(path, `${read.fault}${hint}`)];
  });
}

function notCatalog(text: string, fault: string): string {
  return `${JSON.stringify(withoutUrlSecrets(text))} is not a catalog: ${fault}`;
}
