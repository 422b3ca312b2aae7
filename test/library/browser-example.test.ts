// Does the page of examples/browser answer? It is bundled as its README says, and run with the few elements that it uses, in an engine
// without Node's globals.

import { readFileSync } from "node:fs";
import { createContext, Script } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** An element with a value, a text and listeners. */
function element() {
  const listeners: (() => void)[] = [];
  return {
    value: "",
    textContent: "",
    addEventListener: (_: string, listener: () => void) => listeners.push(listener),
    input: () => {
      for (const listener of listeners) listener();
    },
  };
}

test("the page answers when its text changes", async () => {
  const { outputFiles } = await build({
    entryPoints: ["examples/browser/page.ts"],
    bundle: true,
    minify: true,
    write: false,
    logLevel: "silent",
  });
  const html = readFileSync("examples/browser/index.html", "utf8");
  const elements = Object.fromEntries(
    [...html.matchAll(/ id="(\w+)"/g)].map(([, id = ""]) => [`#${id}`, element()]),
  ) as Record<string, ReturnType<typeof element>>;
  const document = { querySelector: (selector: string) => elements[selector] };
  new Script(outputFiles[0]?.text ?? "").runInContext(createContext({ document, TextEncoder, TextDecoder }));
  const [catalog, packages, answer] = ["#catalog", "#packages", "#answer"].map((id) => elements[id]);
  if (!catalog || !packages || !answer) throw new Error("the page has other elements");
  expect(answer.textContent).toContain("requires oil >=2.0.0");

  catalog.value = catalog.value.replace(/ {2}- { type: olm.package.required.*\n/, "");
  catalog.input();
  expect(answer.textContent).toContain("Resolved in namespace default: 1 to install");

  packages.value = "lantren";
  packages.input();
  expect(answer.textContent).toContain("did you mean lantern?");

  catalog.value = "schema: [";
  catalog.input();
  expect(answer.textContent).toContain("error[PL00");
});
