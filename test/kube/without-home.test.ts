// What if the user has no home directory, as in a pod that runs as a number without a name? Nothing fails, and nothing is read from the
// current directory in its place.

import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { afterEach, expect, test } from "vitest";
import { readKubeconfig } from "../../src/kube/kubeconfig.ts";
import { homeDirectory } from "../../src/net/home-directory.ts";
import { homePath, userContainers } from "../../src/oci/config-paths.ts";

const { homedir } = os;
afterEach(() => listOfUsersSays(homedir));

/** Lets Node find another home directory in the list of users. */
function listOfUsersSays(home: () => string): void {
  os.homedir = home;
  syncBuiltinESMExports();
}

/** As Node says it for a uid that is not in the list of users. */
function noEntry(): string {
  throw new Error("A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)");
}

test("HOME counts before the list of users", () => {
  listOfUsersSays(() => "/home/keeper");
  expect(homeDirectory({ HOME: "/home/pilot" })).toBe("/home/pilot");
  expect(homeDirectory({ HOME: "", USERPROFILE: "C:\\pilot" })).toBe("C:\\pilot");
  expect(homeDirectory({})).toBe("/home/keeper");
  expect(userContainers({ environment: {} }, "auth.json")).toEqual(["/home/keeper/.config/containers/auth.json"]);
});

test.each([
  ["no entry", noEntry],
  ["an empty entry", () => ""],
])("without HOME, and with %s in the list of users", (_, home) => {
  listOfUsersSays(home);
  expect(homeDirectory({})).toBeUndefined();
  expect(readKubeconfig(undefined, {})).toBeUndefined();
  expect(homePath({ environment: {} }, ".docker")).toEqual([]);
  expect(userContainers({ environment: {} }, "auth.json")).toEqual([]);
  expect(userContainers({ environment: { XDG_CONFIG_HOME: "/etc/keeper" } }, "auth.json")).toEqual([
    "/etc/keeper/containers/auth.json",
  ]);
});
