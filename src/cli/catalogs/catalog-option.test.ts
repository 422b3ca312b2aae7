// Which values of `--catalog` are refused, and are all of them said at once?

import { Command } from "commander";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readCatalogs, withCatalogOption } from "./catalog-option.ts";

let printed = "";
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

/** Parses the values of the flag; rejects if some are refused. */
async function given(...values: readonly string[]): Promise<unknown> {
  const command = withCatalogOption(new Command("show")).action(() => {});
  await command.parseAsync(
    values.flatMap((value) => ["--catalog", value]),
    { from: "user" },
  );
  return command.opts().catalog;
}

test.for([
  ["x,prio=3", 'only ,priority=N can follow the path, once; "prio" is not known'],
  ["x,prio=3,priority=3", 'only ,priority=N can follow the path, once; "prio" is not known'],
  ["x,priority=1,priority=2", 'only ,priority=N can follow the path, once; "priority" is given twice'],
  ["x,priority=high", "the priority must be a whole number"],
  ["oci://quay.io/Harbour/catalog", '"Harbour" has capital letters; names of repositories are lower-case'],
  ["oci://quay.io", '"quay.io" is a registry without a repository; write REGISTRY/REPOSITORY:TAG'],
  ["docker://quay.io/", '"quay.io" is a registry without a repository; write REGISTRY/REPOSITORY:TAG'],
  ["oci://quay.io/a b", '"a b" is not a part of the name of a repository'],
  ["oci://quay.io/a@sha256:12", '"sha256:12" is not a digest; write @sha256: and 64 hexadecimal digits'],
  ["oci://quay.io/a:", "the tag after the colon is missing; write a tag there, such as latest"],
])("%s is refused", async ([text, fault]) => {
  await expect(given(text as string)).rejects.toThrow(`${JSON.stringify(text)} is not a catalog: ${fault}`);
});

test("all that are wrong are said, each on a line of its own and without a password", async () => {
  const values = [
    "mine=",
    "oci://quay.io/harbour/catalog:v1",
    "one=oci://quay.io/A",
    "oci://me:hunter2@quay.io/a",
    "oci://:5000/b",
  ];
  await expect(given(...values)).rejects.toMatchObject({ exitCode: 2 });
  expect(printed.match(/^plimsoll: .* is not a catalog: /gm)).toHaveLength(4);
  expect(printed).not.toContain("hunter2");
});

test("a list is read to its end: every fault, also of the names of images, and the catalogs that are good", async () => {
  const texts = ["https://h:99999/x", "oci://a/b/c?x=1", "oci://A/B", "./good", "good=./other"];
  const { catalogs, faults } = await readCatalogs(texts, []);
  expect(faults.map((fault) => fault.replace(/ is not a catalog:.*/, ""))).toEqual([
    '"https://h:99999/x"',
    '"oci://a/b/c?[hidden]"',
    './good and ./other are both called "good"; give one of them a name: NAME=./other',
    '"oci://A/B"',
  ]);
  expect(catalogs.map(({ path }) => path)).toEqual(["oci://A/B", "./good"]);
});

test("a good one is not reported", async () => {
  expect(await given("oci://quay.io/harbour/catalog:v1")).toMatchObject([{ name: "catalog" }]);
  expect(printed).toBe("");
});
