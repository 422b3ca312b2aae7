// Is the bundled example on the API server what it is in its files? Everything else here rests on that.

import { afterAll, describe, expect, inject, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { exampleDocuments } from "../example-documents.ts";
import { openClient } from "./api-client.ts";
import { asWritten, itemsOf } from "./load-objects.ts";
import { ServedKinds } from "./served-kinds.ts";

const { server, tokens } = inject("cluster");
const admin = openClient({ server, token: tokens.admin as string });
const kinds = new ServedKinds(admin);
afterAll(() => admin.close());

describe.each(["cluster", "fleet"])("%s", (part) => {
  const objects = exampleDocuments(part).flatMap(itemsOf);

  test("every object is there with its status", async () => {
    expect(objects.length).toBeGreaterThan(40);
    for (const object of objects) {
      const served = await admin.get(await kinds.pathOf(object));
      expect(comparable(served)).toEqual(comparable(object));
    }
  });

  test("what the server sets, it has set", async () => {
    for (const object of objects) {
      const { uid, resourceVersion, deletionTimestamp } = partOf(
        await admin.get(await kinds.pathOf(object)),
        "metadata",
      );
      expect([typeof uid, typeof resourceVersion]).toEqual(["string", "string"]);
      expect(deletionTimestamp !== undefined).toBe("deletionTimestamp" in partOf(object, "metadata"));
    }
  });
});

/** An object without what the server sets or adds. */
function comparable(object: JsonObject): JsonObject {
  const written = asWritten(object);
  if (object.kind !== "CustomResourceDefinition") return written;
  const { conversion: _, ...spec } = partOf(written, "spec");
  const { storedVersions } = partOf(written, "status");
  return { ...written, spec, status: { storedVersions: storedVersions ?? [] } };
}
