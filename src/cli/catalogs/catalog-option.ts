// Which catalogs does the command line name? What is wrong with a reference is known from its text alone, so everything that is
// wrong with any of them is said before something is read.

import { type Command, CommanderError, Option } from "commander";
import {
  type CatalogReference,
  locationOf,
  notCatalogText,
  readCatalogReference,
} from "../../source/catalog-reference.ts";
import { faultText } from "../../text/image-secrets.ts";
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
    faults.push(...added.faults);
    return added.catalogs;
  });
  return command.addOption(option).hook("preAction", async () => {
    const all = [...faults, ...(await readCatalogs([], command.opts().catalog)).faults];
    if (all.length === 0) return;
    const terminal = openTerminal({ color: "never" });
    for (const fault of all) note(`option '${FLAG}' is invalid. ${fault}`, terminal);
    throw new CommanderError(EXIT.usage, "plimsoll.catalog", all.join("\n"));
  });
}

/** Catalogs that texts name, and everything that is wrong with the others. */
interface ReadCatalogs {
  readonly catalogs: readonly CatalogReference[];
  readonly faults: readonly string[];
}

/** The catalogs with more of them, each under a name of its own, and all faults. */
export async function readCatalogs(
  texts: readonly string[],
  before: readonly CatalogReference[],
): Promise<ReadCatalogs> {
  const { catalogs, faults } = addCatalogs(texts, before);
  return { catalogs, faults: [...faults, ...(await imageFaults(catalogs))] };
}

/** The same, but for the names of images. */
function addCatalogs(texts: readonly string[], before: readonly CatalogReference[]): ReadCatalogs {
  const catalogs = [...before];
  const faults: string[] = [];
  for (const text of texts) {
    const reference = readCatalogReference(text);
    if (typeof reference === "string") {
      faults.push(notCatalogText(text, reference));
      continue;
    }
    const same = catalogs.find((other) => other.name === reference.name && other.namespace === reference.namespace);
    if (same === undefined) catalogs.push(reference);
    else faults.push(sameName(same, reference));
  }
  return { catalogs, faults };
}

function sameName({ name, path }: CatalogReference, added: CatalogReference): string {
  const [one, other] = [withoutUrlSecrets(path), withoutUrlSecrets(added.path)];
  return `${one} and ${other} are both called ${JSON.stringify(name)}; give one of them a name: NAME=${other}`;
}

/** What is wrong with the names of images; only if there are some, what reads them is loaded. */
async function imageFaults(catalogs: readonly CatalogReference[]): Promise<readonly string[]> {
  const images = catalogs.flatMap(({ path }) => {
    const location = locationOf(path);
    return location?.scheme === "image" ? [{ path, image: location.address }] : [];
  });
  if (images.length === 0) return [];
  const { readImageReference } = await import("../../oci/reference.ts");
  return images.flatMap(({ path, image }) => {
    const read = readImageReference(image);
    return "fault" in read ? [notCatalogText(path, faultText(read))] : [];
  });
}
