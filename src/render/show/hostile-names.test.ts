import { expect, test } from "vitest";
import { find } from "../../catalog/find.ts";
import { CatalogBuilder } from "../../input/catalog/catalog-builder.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { JsonObject } from "../../model/json.ts";
import { makeStyle } from "../kit/style.ts";
import { FORMATS } from "../output-formats.ts";
import { missingText } from "../sentence/not-in-catalog.ts";
import { renderShow } from "./render-show.ts";

const OUTPUTS = FORMATS.show;

function catalogOf(documents: readonly JsonObject[], name: string): Catalog {
  const builder = new CatalogBuilder({ name, priority: 0 });
  for (const [index, document] of documents.entries())
    builder.add(document, { source: "catalog.yaml", line: index + 1, column: 1 });
  return builder.finish();
}

test("hostile names cannot write to the terminal or break a format", async () => {
  const evil = 'x"]; end\n\u001b[2J\u202e<b>\u009b31m`$(id)`';
  const documents: readonly JsonObject[] = [
    { schema: "olm.package", name: "evil", defaultChannel: evil, description: `${evil}\n\u0007` },
    {
      schema: "olm.channel",
      package: "evil",
      name: evil,
      entries: [{ name: evil, replaces: `${evil}0`, skips: [`${evil}1`] }],
    },
    {
      schema: "olm.bundle",
      package: "evil",
      name: evil,
      properties: [
        { type: "olm.package", value: { packageName: "evil", version: "1.0.0" } },
        { type: evil, value: { [evil]: evil } },
        { type: "olm.label", value: { label: evil } },
        { type: "olm.package.required", value: { packageName: evil, versionRange: evil } },
        { type: "olm.constraint", value: { message: evil, cel: { rule: evil } } },
        { type: "olm.csv.metadata", value: { displayName: evil } },
        { type: "olm.bundle.object", value: { data: btoa('{"kind":"\\u001b[2J"}') } },
      ],
    },
    {
      schema: "olm.deprecations",
      package: "evil",
      entries: [
        { reference: { schema: "olm.package" }, message: evil },
        { reference: { schema: "olm.bundle", name: evil }, message: evil },
      ],
    },
  ];
  const catalogs = [catalogOf(documents, evil), catalogOf(documents, "tame")];
  for (const argument of [undefined, "evil", `evil/${evil}`, "evil@1.0.0"])
    for (const output of OUTPUTS) {
      const found = find(catalogs, argument);
      if (found.kind === "missing") throw new Error(missingText(found));
      const text = await renderShow(found, { output, style: makeStyle(false) });
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
      if (output === "name") expect(text).toMatch(/^(?:(?:package|bundle)\/[^\n]+\n)+$/);
      if (output === "json") expect(JSON.parse(text).packages[0].defaultChannel).toBe(evil);
    }
});
