// What does `status` print about a cluster, at once and while it changes? As a process, and a server on loopback.

import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { atEnd } from "../at-end.ts";
import { type Answer, folder, json, kubeconfig, line, scripted, status, watching } from "../kube/scripted-server.ts";

const ALL = "/apis/plimsoll.dev/v1alpha1/resolutions";

function resolution(namespace: string, more: object = {}, resourceVersion = "7"): object {
  return {
    ...{ apiVersion: "plimsoll.dev/v1alpha1", kind: "Resolution" },
    metadata: { name: "plimsoll", namespace, generation: 1, resourceVersion },
    spec: { mode: "Advise" },
    status: {
      ...{ observedGeneration: 1, outcome: "Resolved" },
      counts: { operators: 2, updates: 0, heldBack: 0, unsatisfied: 0, pendingApproval: 0 },
      ...more,
    },
  };
}

function list(...items: readonly object[]): Answer {
  return json({
    kind: "ResolutionList",
    apiVersion: "plimsoll.dev/v1alpha1",
    metadata: { resourceVersion: "7" },
    items,
  });
}

/** Runs the command on a server with these answers. */
async function running(answers: readonly Answer[], ...args: readonly string[]) {
  const server = await scripted(answers, { plain: true });
  const directory = folder();
  writeFileSync(`${directory}/config`, JSON.stringify(kubeconfig(server.url)));
  const child: ChildProcess = spawn(
    process.execPath,
    [resolve("dist/bin/plimsoll.js"), "status", "--kubeconfig", "config", ...args],
    {
      cwd: directory,
      env: { PATH: process.env.PATH ?? "", HOME: directory, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  atEnd(() => child.kill("SIGKILL"));
  const texts = { out: "", err: "" };
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  lines.on("line", (text) => (texts.out += `${text}\n`));
  return {
    server,
    lines,
    /** The exit code, and what was printed. */
    ended: new Promise<{ code: number | null; out: string; err: string; paths: readonly string[] }>((done) =>
      child.on("close", (code) => {
        const paths = server.requests.map(({ path }) => path.replace(/\?.*/, ""));
        done({ code, ...texts, err: texts.err.replaceAll(server.url, "URL"), paths });
      }),
    ),
    stop: () => child.kill("SIGINT"),
  };
}

test("the namespace of the context, by default", async () => {
  const { ended } = await running([list(resolution("shop"))]);
  expect(await ended).toEqual({
    code: 0,
    out: "NAMESPACE  MODE    OUTCOME   OPERATORS  UPDATES  HELD-BACK  REFUSED  WAITING  WHY\nshop       Advise  Resolved          2        0          0        0        0\n",
    err: "plimsoll: reading the cluster of context test (URL)\n",
    paths: ["/apis/plimsoll.dev/v1alpha1/namespaces/shop/resolutions"],
  });
});

test("all namespaces; what to read more of has the flags that name the cluster", async () => {
  const refused = resolution("bridge", {
    outcome: "Unsatisfiable",
    unsatisfied: [{ package: "bell", undecided: false }],
  });
  const { ended } = await running([list(resolution("shop"), refused)], "-A", "-q", "--as", "somebody else");
  const { code, out, err, paths } = await ended;
  expect([code, err, paths]).toEqual([1, "", [ALL]]);
  expect(out).toContain(`2 namespaces: 1 resolved, 1 not resolved

To read more
  kubectl describe resolution plimsoll -n bridge --kubeconfig config --as 'somebody else'
  plimsoll explain bell -n bridge --kubeconfig config --as 'somebody else'
`);
});

test("there are none", async () => {
  const { ended } = await running([list()], "-n", "quay", "-q", "-o", "json");
  const { code, out, err } = await ended;
  expect([code, JSON.parse(out).items]).toEqual([0, []]);
  expect(err).toBe(
    "plimsoll: no Resolutions found in namespace quay: it has no Subscriptions, or the resolution controller has not run yet; -A shows all namespaces\n",
  );
});

test.each<[string, Answer, string]>([
  [
    "no definition",
    status(404, "the server could not find the requested resource"),
    "the resolution controller is not installed",
  ],
  [
    "no right",
    status(403, 'User "me" cannot list'),
    "allow list of resolutions.plimsoll.dev there, or ask about one namespace with -n",
  ],
  ["no credentials", status(401, "Unauthorized"), "does not accept the credentials"],
])("there is %s: exit 4", async (_, answer, message) => {
  const { code, out, err } = await (await running([answer], "-A")).ended;
  expect([code, out]).toEqual([4, ""]);
  expect(err).toContain(message);
});

test("an object that is no Resolution, and one that cannot be read: 3, and the rest is shown", async () => {
  const { ended } = await running([list(resolution("shop"), { kind: "Other" }, resolution("x", { outcome: 5 }))], "-A");
  const { code, out, err } = await ended;
  expect(code).toBe(3);
  expect(out).toMatch(/^shop +Advise +Resolved/m);
  expect(err).toContain(
    "error[PL009]: status.outcome must be text, but is a number\n  --> cluster/x/Resolution/plimsoll:status.outcome",
  );
  expect(err).toContain("error[PL014]: 1 Resolution object of the cluster could not be read");
});

test("a watch prints the table and then what changes, until Ctrl-C", async () => {
  const same = line("MODIFIED", resolution("shop", { summary: "another one" }, "8"));
  const changed = line("MODIFIED", resolution("shop", { outcome: "Undecided", reason: "the search ended" }, "9"));
  const watch = watching([same, changed, line("DELETED", resolution("shop", {}, "10"))], { isLeftOpen: true });
  const { lines, ended, stop, server } = await running([list(resolution("shop")), watch], "-A", "--watch", "-q");
  lines.on("line", (text) => text.includes("was deleted") && stop());
  const { code, out, err } = await ended;
  expect([code, err]).toEqual([130, ""]);
  expect(out).toMatchInlineSnapshot(`
    "NAMESPACE  MODE     OUTCOME        OPERATORS  UPDATES  HELD-BACK  REFUSED  WAITING  WHY
    shop       Advise   Resolved               2        0          0        0        0
    shop       Advise   Undecided              2        0          0        0        0  the search ended
    shop       Advise   Deleted                -        -          -        -        -  the Resolution was deleted
    "
  `);
  expect(server.requests[1]?.path).toMatch(
    /^\/apis\/plimsoll\.dev\/v1alpha1\/resolutions\?watch=true&resourceVersion=7&/,
  );
});

test("a watch prints JSON lines", async () => {
  const watch = watching([line("ADDED", resolution("quay"))], { isLeftOpen: true });
  const { lines, ended, stop } = await running([list(resolution("shop")), watch], "-A", "-w", "-o", "json");
  lines.on("line", (text) => text.includes('"quay"') && stop());
  const { out } = await ended;
  const documents = out
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  expect(documents.map(({ kind, change, item }) => [kind, change, item.namespace])).toEqual([
    ["StatusChange", "added", "shop"],
    ["StatusChange", "added", "quay"],
  ]);
});

test("a watch ends if nothing can be read", async () => {
  const { code, out, err } = await (await running([status(403, "no")], "-A", "--watch")).ended;
  expect([code, out]).toEqual([4, ""]);
  expect(err).toContain("allow list and watch of resolutions.plimsoll.dev there");
});
