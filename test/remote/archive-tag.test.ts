// Which image of an archive is read if the name of the file is followed by a tag?

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../e2e/command.ts";
import { folder } from "../kube/scripted-server.ts";
import { tarOf } from "../oci/tar-writer.ts";
import { CONFIGS_LABEL, lines, packageDocuments } from "./sandbox.ts";

/** An archive of `docker save` with an image for each tag, whose catalog has the package of that name. */
function savedImages(tags: readonly string[]): Buffer {
  const images = tags.map((tag) => {
    const layer = tarOf([{ path: "configs/catalog.json", content: lines(packageDocuments(tag)) }]);
    const digest = createHash("sha256").update(layer).digest("hex");
    const config = JSON.stringify({ config: { Labels: CONFIGS_LABEL }, rootfs: { diff_ids: [`sha256:${digest}`] } });
    return { tag, layer, config };
  });
  const list = images.map(({ tag }) => ({
    Config: `${tag}.json`,
    RepoTags: [`quay.io/harbour/catalog:${tag}`],
    Layers: [`${tag}.tar`],
  }));
  return tarOf([
    { path: "manifest.json", content: JSON.stringify(list) },
    ...images.flatMap(({ tag, layer, config }) => [
      { path: `${tag}.json`, content: config },
      { path: `${tag}.tar`, content: layer },
    ]),
  ]);
}

test.for(["", "docker-archive:"])("the one with the tag, with %j before the file", async (scheme) => {
  const home = folder();
  const file = join(home, "saved.tar");
  writeFileSync(file, savedImages(["winch", "crane"]));
  for (const [choice, name] of [
    [":crane", "crane"],
    [":quay.io/harbour/catalog:winch", "winch"],
  ]) {
    const { code, out, err } = await runCommand(["show", "--catalog", `${scheme}${file}${choice}`], home);
    expect([code, err, out.split("\n")[0]]).toEqual([0, "", "saved: 1 package, 1 channel, 1 bundle"]);
    expect(out).toContain(name);
  }
});
