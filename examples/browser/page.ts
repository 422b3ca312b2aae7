// Which operators go together, as a page that has no server? Resolves the catalog in the text area whenever it changes.

import { findingText, render, resolve, UsageError } from "plimsoll";

const EXAMPLE = `schema: olm.package
name: lantern
defaultChannel: stable
---
schema: olm.channel
package: lantern
name: stable
entries: [{ name: lantern.v1.0.0 }]
---
schema: olm.bundle
package: lantern
name: lantern.v1.0.0
image: registry.example.com/lantern:1.0.0
properties:
  - { type: olm.package, value: { packageName: lantern, version: 1.0.0 } }
  - { type: olm.package.required, value: { packageName: oil, versionRange: ">=2.0.0" } }
`;

/** The answer as text: what is wrong with the catalog, and what can be installed. */
function answerText(catalog: string, packages: readonly string[]): string {
  try {
    const answer = resolve({ catalogs: [{ name: "page", text: catalog }], packages });
    return answer.findings.map(findingText).join("\n") + render(answer, { width: 100 });
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

const catalog = document.querySelector("#catalog") as HTMLTextAreaElement;
const packages = document.querySelector("#packages") as HTMLInputElement;
const answer = document.querySelector("#answer") as HTMLElement;

function update(): void {
  answer.textContent = answerText(catalog.value, packages.value.split(/[\s,]+/).filter(Boolean));
}

catalog.value = EXAMPLE;
packages.value = "lantern";
catalog.addEventListener("input", update);
packages.addEventListener("input", update);
update();
