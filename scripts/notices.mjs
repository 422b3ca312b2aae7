// Whose code is in `dist/`? The name, version and licence of every library that esbuild put into a file, as their licences ask
// for.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LINE = "-".repeat(80);

/** The folders of the libraries in the files of esbuild's metafiles, sorted. Code that was left out does not count. */
export function bundledLibraries(metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        // The innermost package, if one is installed inside of another.
        const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
  return [...folders].sort();
}

/** The notices of some libraries. Throws if one has no licence text: it must not be published without. */
export function noticesOf(folders) {
  const notices = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder)
      .sort()
      .find((one) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(one));
    if (file === undefined)
      throw new Error(`${folder} has no file with its licence: add its text, or use another library`);
    const notice = join(folder, "NOTICE");
    const texts = [join(folder, file), ...(existsSync(notice) ? [notice] : [])].map((path) =>
      readFileSync(path, "utf8"),
    );
    return [
      LINE,
      `${name} ${version} (${license})`,
      LINE,
      ...texts.map((text) => text.replaceAll("\r\n", "\n").trim()),
    ].join("\n");
  });
  return `The files in this folder contain code of these libraries.\n\n${notices.join("\n\n")}\n`;
}
