// What does git ignore? Writes gitignore.json beside this file: `git check-ignore` is asked about chosen and random
// ignore files in a temporary directory.
//   node test/differential/make-gitignore.mjs
//   node test/differential/make-gitignore.mjs --random 5000 --seed 7 --out FILE   for a thorough comparison
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    random: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: new URL("gitignore.json", import.meta.url).pathname },
  },
});

/** Ignore files by directory (a text alone is that of the top), and paths; those that end in a slash are directories. */
const CHOSEN = [
  // Names, anywhere below.
  ["a", ["a", "a/", "b/a", "b/a/", "a/b", "b/a/c", "ab", "A", "b/c/a"]],
  ["README.md", ["README.md", "x/README.md", "README.md.bak", "XREADME.md", "readme.md"]],
  ["*.draft.yaml", ["a.draft.yaml", ".draft.yaml", "draft.yaml", "x/a.draft.yaml", "a.draft.yaml/b", "a.draft.yml"]],
  // Directories only.
  ["a/", ["a", "a/", "b/a", "b/a/", "a/b"]],
  ["a/b/", ["a/b/", "a/b", "a/b/c", "x/a/b/"]],
  ["*/", ["a", "a/", "a/b"]],
  ["/", ["a", "a/"]],
  ["//", ["a", "a/"]],
  ["a//", ["a", "a/", "a/b"]],
  // Anchored by a slash that is not at the end.
  ["/a", ["a", "a/", "b/a", "a/b"]],
  ["/a/", ["a", "a/", "b/a/"]],
  ["a/b", ["a/b", "a/b/", "x/a/b", "a/b/c", "a/bc", "ab"]],
  ["/a/b", ["a/b", "x/a/b"]],
  ["//a", ["a", "b/a"]],
  ["a//b", ["a/b"]],
  ["./a", ["a"]],
  // Asterisks.
  ["*", ["a", "a/", "a/b", ".hidden"]],
  ["a*", ["a", "ab", "b", "ba", "x/abc", "a/b"]],
  ["*a", ["a", "ba", "ab"]],
  ["a*b", ["ab", "acb", "acccb", "a/b", "acbd"]],
  ["*a*b*", ["ab", "xaxbx", "ba", "bab", "xba"]],
  ["a/*", ["a", "a/", "a/b", "a/b/c", "x/a/b"]],
  ["a/*/b", ["a/b", "a/x/b", "a/x/y/b"]],
  ["/*", ["a", "a/b", "b/"]],
  ["/*.yaml", ["a.yaml", "b/a.yaml"]],
  ["a*/b", ["a/b", "ax/b", "ax/y/b"]],
  ["a/b*c", ["a/bc", "a/bxc", "a/b/c"]],
  // Two asterisks.
  ["**", ["a", "a/b", "a/"]],
  ["**/", ["a", "a/", "a/b"]],
  ["/**", ["a", "a/b", "a/"]],
  ["**/a", ["a", "b/a", "b/c/a", "ba", "a/b", "b/xa"]],
  ["**/a/b", ["a/b", "x/a/b", "x/y/a/b", "x/a/y/b"]],
  ["a/**", ["a", "a/", "a/b", "a/b/c", "x/a/b"]],
  ["a/**/", ["a/", "a/b", "a/b/", "a/b/c"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b", "a/xb", "x/a/b", "a/b/c"]],
  ["/**/b", ["b", "a/b", "a/c/b"]],
  ["a/**/**/b", ["a/b", "a/x/b", "a/x/y/b"]],
  ["a/**/b/**/c", ["a/b/c", "a/x/b/c", "a/b/x/c", "a/b/b/c", "a/c/b", "a/b/c/d"]],
  ["**/a/**", ["a", "a/b", "x/a/b", "x/a"]],
  ["a/***/b", ["a/b", "a/x/b", "a/x/y/b"]],
  ["**a", ["a", "ba", "x/ba", "ab"]],
  ["a**", ["a", "ab", "x/ab"]],
  ["a**b", ["ab", "axb", "a/b"]],
  ["x/**a", ["x/a", "x/ba", "x/y/a", "x/y/ba"]],
  ["**/**", ["a", "a/b"]],
  ["**/a*/**/c", ["a/c", "x/ab/c", "x/ab/y/c", "x/b/c"]],
  ["a/**/*.yaml", ["a/b.yaml", "a/x/b.yaml", "a.yaml"]],
  // One character.
  ["?", ["a", "ab", "x/a"]],
  ["a?c", ["abc", "ac", "abbc", "a/c"]],
  ["a/?", ["a/b", "a/bc"]],
  ["a?b/c", ["axb/c", "a/b/c"]],
  // Sets.
  ["[abc]", ["a", "b", "d", "ab"]],
  ["[a-c]x", ["ax", "bx", "dx", "-x"]],
  ["[!a]", ["a", "b"]],
  ["[^a]", ["a", "b", "^"]],
  ["[!a-c]x", ["ax", "dx"]],
  ["[]a]", ["]", "a", "b"]],
  ["[!]a]", ["]", "a", "b"]],
  ["[a-]", ["a", "-", "b"]],
  ["[-a]", ["a", "-", "b"]],
  ["[c-a]", ["a", "b", "c"]],
  ["[a-c-e]", ["b", "d", "-", "e"]],
  ["[\\]]", ["]", "\\"]],
  ["[\\!a]", ["!", "a", "b"]],
  ["[a\\-c]", ["a", "b", "-", "c"]],
  ["[a-\\c]", ["b", "\\", "c"]],
  ["[*]", ["*", "a"]],
  ["[?]", ["?", "a"]],
  ["[[]", ["[", "a"]],
  ["[[:digit:]]", ["1", "a", ":"]],
  ["v[[:digit:]x][[:alpha:]]", ["v1a", "vxb", "vya", "v11"]],
  ["[![:upper:]]", ["A", "a"]],
  ["[[:nonsense:]]", ["n", ":"]],
  ["[[:]", ["[", ":", "a"]],
  ["[[:a]", ["[", ":", "a", "b"]],
  ["[[:space:]-]x", [" x", "-x", "ax"]],
  ["[a", ["[a", "a"]],
  ["[", ["[", "a"]],
  ["a[/]b", ["a/b", "ab"]],
  ["a[/x]b", ["a/b", "axb", "y/axb"]],
  ["a[.-0]b", ["a/b", "a.b"]],
  // Backslashes.
  ["\\a", ["a", "\\a"]],
  ["\\*", ["*", "a"]],
  ["\\?", ["?", "a"]],
  ["a\\*b", ["a*b", "axb"]],
  ["\\\\", ["\\", "a"]],
  ["a\\", ["a", "a\\"]],
  ["a\\/b", ["a/b", "a\\/b"]],
  ["a\\/", ["a/", "a"]],
  ["\\#a", ["#a", "a", "\\#a"]],
  ["\\!a", ["!a", "a"]],
  ["\\[a]", ["[a]", "a"]],
  // Comments and blanks.
  ["#a", ["#a", "a"]],
  [" #a", [" #a", "#a"]],
  ["a#b", ["a#b", "a"]],
  ["a ", ["a", "a "]],
  ["a   ", ["a", "a   "]],
  ["a\\ ", ["a", "a "]],
  ["a\\  ", ["a", "a ", "a  "]],
  ["a\\ \\ ", ["a  ", "a "]],
  [" a", ["a", " a"]],
  ["a b", ["a b", "a"]],
  ["a\t", ["a", "a\t"]],
  ["\\ ", [" ", "a"]],
  ["   ", ["   ", "a"]],
  ["a/ ", ["a", "a/"]],
  ["\n\na\n\n", ["a", "b"]],
  // Line ends.
  ["a\r\nb\r\n", ["a", "b", "a\r"]],
  ["a\r\nb\r", ["a", "b"]],
  ["a \r\n", ["a", "a "]],
  ["a/\r\n", ["a", "a/"]],
  ["\r\n!\r\na", ["a", "b"]],
  ["a\rb", ["a\rb", "a"]],
  ["a", ["a"]],
  ["\ufeffa\nb", ["a", "b"]],
  ["\ufeff#a", ["#a", "a"]],
  // Negation: the last rule that matches counts, but nothing comes back from an ignored directory.
  ["a\n!a", ["a"]],
  ["!a\na", ["a"]],
  ["*\n!a", ["a", "b", "x/a"]],
  ["*.yaml\n!keep.yaml", ["a.yaml", "keep.yaml", "x/keep.yaml"]],
  ["a/\n!a/b", ["a/", "a/b"]],
  ["a/*\n!a/b", ["a/", "a/b", "a/c"]],
  ["a/**\n!a/b", ["a/b", "a/c", "a/b/d"]],
  ["/*\n!/a\n/a/*\n!/a/b", ["a/b", "a/c", "c", "a/b/d"]],
  ["*\n!*/", ["a", "a/", "a/b"]],
  ["*\n!*/\n!*.yaml", ["a.yaml", "x/a.yaml", "x/a.md", "x/"]],
  ["a\n!a/", ["a", "a/", "a/b"]],
  ["!!a", ["!a", "a"]],
  ["*\n!!a", ["!a", "a"]],
  ["*\n!\\!a", ["!a", "a"]],
  ["a*\n!ab*\nabc*", ["a", "ab", "abc", "abcd"]],
  ["!", ["!", "a"]],
  // Ignore files in several directories.
  [{ ".": "*.yaml", x: "!a.yaml" }, ["a.yaml", "x/a.yaml", "x/b.yaml", "x/y/a.yaml"]],
  [{ ".": "!a", x: "a" }, ["a", "x/a", "x/y/a", "y/a"]],
  [{ x: "/a" }, ["a", "x/a", "x/y/a"]],
  [{ x: "y/a" }, ["y/a", "x/y/a", "x/y/y/a"]],
  [{ x: "x" }, ["x/", "x/x", "x/y/x"]],
  [{ ".": "x", x: "!a" }, ["x/a", "x/"]],
  [{ ".": "x/", x: "!*" }, ["x/a", "x/y/a"]],
  [{ ".": "x/*", x: "!a" }, ["x/a", "x/b"]],
  [{ ".": "x/a", x: "!a" }, ["x/a", "x/b"]],
  [{ ".": "a", x: "!a", "x/y": "a" }, ["a", "x/a", "x/y/a", "x/z/a"]],
  [{ ".": "**/b", "x/y": "!b" }, ["x/b", "x/y/b", "x/y/z/b", "b"]],
  [{ x: "**" }, ["a", "x/", "x/a", "x/y/a"]],
  [{ x: "*\n!y/", "x/y": "!a" }, ["x/a", "x/y/", "x/y/a", "x/y/b"]],
  // Long searches that end in nothing.
  [`${"a*".repeat(30)}b`, ["a".repeat(100), `${"a".repeat(100)}b`]],
  [`x/${"**/a/".repeat(12)}b`, [`x/${"a/".repeat(24)}c`, `x/${"a/".repeat(24)}b`]],
];

let state = Number(options.seed);
/** A number from 0 to below `limit`: a small generator, the same everywhere. */
function random(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}
const pick = (list) => list[random(list.length)];
const repeat = (most, make) => Array.from({ length: 1 + random(most) }, make);

const PIECES = ["a", "b", "a", "b", "/", "/", "*", "**", "**/", "/**", "?", "[ab]", "[!a]", "\\a", "c", " ", "!", "#"];

/** Where our reading differs on purpose: `**` right behind the plain beginning of a path. */
const differs = (line) => /^!?\/?[^*?[\\]*[^*?[\\/]\*\*+(\\?\/|$)/.test(line) && line.replace(/\/$/, "").includes("/");

function randomCase() {
  const lines = () =>
    repeat(3, () => (random(4) === 0 ? "!" : "") + repeat(5, () => pick(PIECES)).join(""))
      .filter((line) => !differs(line))
      .join("\n");
  const files = random(3) === 0 ? { ".": lines(), [pick(["a", "b"])]: lines() } : { ".": lines() };
  const paths = repeat(
    5,
    () => repeat(4, () => pick(["a", "b", "ab", "ba", "c", "aab"])).join("/") + pick(["", "", "/"]),
  );
  return [files, paths];
}

/** Every path has a tree of its own, since a name may be a file in one of them and a directory in another. */
const asked = [...CHOSEN, ...Array.from({ length: Number(options.random) }, randomCase)].flatMap(([files, paths]) => {
  const ignore = typeof files === "string" ? { ".": files } : files;
  return [...new Set(paths)]
    .map((written) => ({ ignore, path: written.replace(/\/$/, ""), isDirectory: written.endsWith("/") }))
    .filter(({ path, isDirectory }) => isDirectory || !Object.hasOwn(ignore, path));
});

const top = mkdtempSync(join(tmpdir(), "gitignore-"));
const git = (args, input) =>
  execFileSync("git", args, {
    cwd: top,
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    env: { PATH: process.env.PATH, HOME: top, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  });
try {
  git(["init", "--quiet", "--template="]);
  for (const [index, { ignore, path, isDirectory }] of asked.entries()) {
    const tree = join(top, `${index}`);
    for (const [directory, text] of Object.entries(ignore)) {
      mkdirSync(join(tree, directory), { recursive: true });
      writeFileSync(join(tree, directory, ".gitignore"), text);
    }
    mkdirSync(join(tree, isDirectory ? path : dirname(path)), { recursive: true });
    if (!isDirectory) writeFileSync(join(tree, path), "");
  }
  const paths = asked.map(({ path }, index) => `${index}/${path}`);
  const answer = new Set(git(["check-ignore", "--no-index", "-z", "--stdin"], paths.join("\0")).split("\0"));
  const rows = asked.map((row, index) => JSON.stringify({ ...row, ignored: answer.has(paths[index]) }));
  const provenance = {
    program: "test/differential/make-gitignore.mjs",
    module: "git check-ignore",
    version: git(["--version"]).trim().replace("git version ", ""),
    seed: Number(options.seed),
    regenerate: "node test/differential/make-gitignore.mjs",
  };
  writeFileSync(
    options.out,
    `{\n  "provenance": ${JSON.stringify(provenance)},\n  "rows": [\n    ${rows.join(",\n    ")}\n  ]\n}\n`,
  );
  console.log(`${rows.length} rows in ${options.out}`);
} finally {
  rmSync(top, { recursive: true, force: true });
}
