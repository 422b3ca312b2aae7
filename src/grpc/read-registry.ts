// What does a gRPC registry list? Its packages, channels, bundles and deprecations, as documents of a file-based catalog.

import { createHash } from "node:crypto";
import type { JsonObject } from "../model/json.ts";
import { NetFailure } from "../net/failure.ts";
import { inParallel } from "../net/in-parallel.ts";
import { quoted } from "../text/words.ts";
import { CatalogRows } from "./catalog-documents.ts";
import { type Call, type ConnectionOptions, withConnection } from "./grpc-connection.ts";
import { askedRegistry, type RegistryAddress } from "./grpc-socket.ts";
import { BundleRows, type PackageMessage, packageRequest, readPackage, readPackageName } from "./messages.ts";
import { type FieldBudget, fieldBudget } from "./protobuf.ts";
import { CallRefused, isNotFound } from "./status.ts";

export interface ReadRegistryOptions extends ConnectionOptions {
  /** Is given the number of bundles so far. */
  readonly onBundles?: (count: number) => void;
}

export interface RegistryRead {
  /** In an order that does not depend on that of the server. */
  readonly documents: readonly JsonObject[];
  readonly bundles: number;
  /** The digest of all messages, in whichever order they came: `sha256:…`. */
  readonly digest: string;
  /** How many bundles the server sent without their manifests, and without their ClusterServiceVersion. */
  readonly without: { readonly objects: number; readonly metadata: number };
}

/** Packages that are asked for at the same time. */
const AT_ONCE = 16;

/** Fields of all messages. A catalog of 7,561 bundles has 0.6 million. */
const MAX_FIELDS = 10_000_000;

const NO_FIELDS = Buffer.alloc(0);

/** Reads all of it. Throws a {@link NetFailure}. */
export async function readRegistry(address: RegistryAddress, options: ReadRegistryOptions): Promise<RegistryRead> {
  const rows = new CatalogRows();
  const budget = fieldBudget(MAX_FIELDS);
  const bundleRows = new BundleRows(budget);
  const digests: string[] = [];
  return withConnection(address, options, async (call) => {
    /** The call, whose messages count for the digest. */
    const digested: Call = (method, request, take) =>
      call(method, request, (message) => {
        digests.push(createHash("sha256").update(`${method}\n`).update(message).digest("hex"));
        take(message);
      });
    const names = new Set<string>();
    await digested("ListPackages", NO_FIELDS, (message) => void names.add(readPackageName(message, budget)));
    const packages = inParallel([...names], AT_ONCE, async (name) => {
      const found = await packageOf(name, digested, budget);
      if (found === "not-found") return;
      // Another one would be taken for a package that was asked for.
      if (found?.name !== name) throw otherPackage(name, found?.name, address);
      rows.addPackage(found);
    });
    const bundles = digested("ListBundles", NO_FIELDS, (message) => {
      rows.addBundle(bundleRows.read(message));
      options.onBundles?.(rows.bundles);
    });
    await Promise.all([packages, bundles]);
    const digest = `sha256:${createHash("sha256").update(digests.sort().join("\n")).digest("hex")}`;
    return { documents: rows.documents(), bundles: rows.bundles, digest, without: rows.without() };
  });
}

/** If a server lists a package that it does not know, the reader of catalogs reports what belongs to it. */
async function packageOf(
  name: string,
  call: Call,
  budget: FieldBudget,
): Promise<PackageMessage | undefined | "not-found"> {
  let found: PackageMessage | undefined;
  try {
    await call("GetPackage", packageRequest(name), (message) => {
      found = readPackage(message, budget);
    });
  } catch (error) {
    if (error instanceof CallRefused && isNotFound(error)) return "not-found";
    throw error;
  }
  return found;
}

function otherPackage(asked: string, found: string | undefined, address: RegistryAddress): NetFailure {
  const { peer } = askedRegistry(address);
  const answer = found === undefined ? "nothing" : quoted(found);
  return new NetFailure("malformed", `${peer} answers GetPackage for ${quoted(asked)} with ${answer}`, {
    help: "look at the logs of its pod, or read the catalog in another way",
  });
}
