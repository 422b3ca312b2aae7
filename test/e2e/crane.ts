// How is an image saved as files? With crane, as users do it: an archive of Docker, a layout of OCI; the archive of OCI is a tar of
// the layout.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CERTIFICATES } from "../certificates.ts";
import { startProgram } from "./command.ts";
import { filesBelow } from "./push-image.ts";
import { packTar } from "./tar.ts";

/** The path of crane; `npm run test:e2e` finds or builds it and names its folder. */
export function crane(): string {
  const folder = process.env.PLIMSOLL_E2E_REGISTRY;
  if (!folder) throw new Error("PLIMSOLL_E2E_REGISTRY is not set; npm run test:e2e sets it");
  return join(folder, "crane");
}

/** Runs crane to its end, `home` is its HOME; returns what it prints. */
export async function runCrane(home: string, args: readonly string[]): Promise<string> {
  const { code, out, err } = await startProgram(crane(), args, home, {
    SSL_CERT_FILE: join(CERTIFICATES, "authority.crt"),
  }).ended;
  if (code !== 0) throw new Error(`crane ${args.join(" ")}: ${err}`);
  return out;
}

/** How an image is saved. */
export type SavedAs = "docker-archive" | "oci-layout" | "oci-archive";

/** Saves an image in a registry as a new file or directory `name` below `folder`, which is the HOME of crane; returns its path. */
export async function saveImage(folder: string, name: string, reference: string, as: SavedAs): Promise<string> {
  const path = join(folder, name);
  if (as === "docker-archive") await runCrane(folder, ["pull", reference, path]);
  else if (as === "oci-layout") await runCrane(folder, ["pull", "--format=oci", reference, path]);
  else writeFileSync(path, packTar(filesBelow(await saveImage(folder, `${name}.layout`, reference, "oci-layout"))));
  return path;
}
