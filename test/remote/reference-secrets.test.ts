// Is a password or a token of a reference in no message, wherever it is and whatever characters it has?

import { Command } from "commander";
import fc from "fast-check";
import { expect, test } from "vitest";
import "../property-seed.ts";
import { readCatalogs } from "../../src/cli/catalogs/catalog-option.ts";
import { withSourceOptions } from "../../src/cli/catalogs/options.ts";
import { load } from "../../src/node.ts";
import { directServer } from "../../src/remote/direct-catalogd.ts";
import { loadRemote } from "../../src/remote/load-remote.ts";
import type { RemoteSetting } from "../../src/remote/setting.ts";
import { wayText, wayTo } from "../../src/remote/way.ts";
import { type CatalogReference, locationOf } from "../../src/source/catalog-reference.ts";
import { InputFiles } from "../../src/source/input-files.ts";
import { withoutSecretsOf } from "../../src/text/url-secrets.ts";

/** Every secret consists of these words, and of what is between them. */
const WORD = "zqx7";

const separator = fc.constantFrom(
  "/",
  "?",
  "#",
  "@",
  ":",
  "'",
  '"',
  " ",
  "%",
  "%40",
  "=",
  "&",
  ",",
  "\\",
  ";",
  "\n",
  "",
);
const secret = fc
  .tuple(fc.constantFrom("", "8", "443", "/"), fc.array(separator, { maxLength: 5 }))
  .map(([start, separators]) => `${start}${separators.map((one) => `${one}${WORD}`).join("") || WORD}`);

const start = fc.constantFrom(
  ...["https://", "http://", "oci://", "docker://", "grpc://", "ftp://", "HTTPS://", "https:/", "https:", ""],
  ...["oci:", "oci:/", "oci-layout:", "oci-archive:", "docker-archive:", "oci://https://", "oci:https://", "//"],
  ...["mine=https://", "ns/mine=oci://", "mine=", " https://", "./https://"],
);
const place = fc.constantFrom(
  "quay.io",
  "quay.io/x/y",
  "localhost:5000/x:v1",
  "127.0.0.1:1/catalogs/x",
  "quay.io/x.tar",
);
const login = fc.tuple(fc.constantFrom("user:", "user.name:", ":"), secret).map((parts) => `${parts.join("")}@`);
const tail = fc
  .tuple(fc.constantFrom("?", "?token=", "#", "#token=", "/?a=b&token=", "?a#"), secret, fc.constantFrom("", "=", "&"))
  .map((parts) => parts.join(""));
const reference = fc
  .tuple(
    start,
    fc.constantFrom("login", "tail", "both"),
    login,
    place,
    tail,
    fc.constantFrom("", ",priority=1", ",x=1"),
  )
  .map(([scheme, kind, before, middle, behind, option]) =>
    [scheme, kind === "tail" ? "" : before, middle, kind === "login" ? "" : behind, option].join(""),
  );

const NOWHERE = { signal: new AbortController().signal, insecure: [], environment: {} } as unknown as RemoteSetting;

/** What is said about a catalog when it cannot be read. */
async function saidOf(catalog: CatalogReference): Promise<readonly unknown[]> {
  const location = locationOf(catalog.path);
  if (location === undefined) return [catalog.name];
  const way = wayTo(location);
  if (way.kind === "catalogd") return [catalog.name, wayText(way), failureOf(() => directServer(way.url, NOWHERE))];
  if (way.kind === "image" || way.kind === "grpc") return [catalog.name, wayText(way)];
  const loaded = await loadRemote(catalog, [way, way], new InputFiles({} as never), NOWHERE);
  return [wayText(way), loaded.kind === "unreachable" && loaded.finding];
}

function failureOf(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return String(error);
  }
}

/** What the library says. */
async function libraryOf(text: string): Promise<readonly unknown[]> {
  const error = await load({ catalogs: [text] }).catch((thrown: Error) => thrown);
  return [String(error), error];
}

/** What the command says about it as a host. */
function hostSaid(text: string): string {
  const command = withSourceOptions(new Command("show"))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return withoutSecretsOf(
    [text],
    String(failureOf(() => command.parse([`--insecure-registry=${text}`], { from: "user" }).opts().insecureRegistry)),
  );
}

test("no part of a secret is repeated", async () => {
  await fc.assert(
    fc.asyncProperty(reference, async (text) => {
      const { catalogs, faults } = await readCatalogs([text, text], []);
      const said = [faults, await Promise.all(catalogs.map(saidOf)), await libraryOf(text), hostSaid(text)];
      expect(JSON.stringify(said)).not.toContain(WORD);
    }),
    { numRuns: process.env.PLIMSOLL_LONG ? 50_000 : 3000 },
  );
});
