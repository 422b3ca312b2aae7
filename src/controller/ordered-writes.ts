// How is a plan of writes carried out? One after the other; the first that fails ends it.

import { type Json, type JsonObject, partOf } from "../model/json.ts";
import { NetFailure } from "../net/failure.ts";
import { parsedJson, textField } from "../net/json-fields.ts";
import type { WritingServer } from "./writing-server.ts";

export interface ObjectVersion {
  readonly uid: string;
  readonly resourceVersion: string;
}

export type PlannedWrite =
  | { readonly verb: "create"; readonly path: string; readonly name: string; readonly object: JsonObject }
  | { readonly verb: "patch"; readonly path: string; readonly subresource?: "status"; readonly patch: JsonObject; readonly base: ObjectVersion | "created" }
  | { readonly verb: "delete"; readonly path: string; readonly base: ObjectVersion | "created" };

export interface WriteOutcome {
  readonly written: readonly { readonly index: number; readonly text: string }[];
  readonly failure?: { readonly index: number; readonly failure: NetFailure };
}

export async function carryOut(
  writes: readonly PlannedWrite[],
  { server, elector, onWrite }: { server: WritingServer; elector: { mayWrite(): boolean; writeTimeout: number }; onWrite?: (verb: string, result: string) => void },
): Promise<WriteOutcome> {
  const written: { index: number; text: string }[] = [];
  const versions = new Map<string, ObjectVersion>();
  for (const [index, write] of writes.entries()) {
    try {
      if (!elector.mayWrite()) throw new NetFailure("not-sent", "this process does not lead");
      const path = write.verb === "create" ? `${write.path}/${write.name}` : write.path;
      const base = versions.get(path) ?? (write.verb === "create" || write.base === "created" ? undefined : write.base);
      const common = { timeout: elector.writeTimeout, mayStillSend: () => elector.mayWrite() };
      let text = "";
      if (write.verb === "create") text = await server.write({ method: "POST", path: write.path, body: write.object, ...common });
      else if (write.verb === "patch")
        text = await server.write({
          method: "PATCH",
          path: write.subresource === undefined ? path : `${path}/${write.subresource}`,
          body: { ...write.patch, metadata: { ...partOf(write.patch, "metadata"), ...base } },
          ...common,
        });
      else await server.write({ method: "DELETE", path, body: { preconditions: base }, ...common });
      const metadata = partOf((parsedJson(text) ?? {}) as JsonObject, "metadata") as Json;
      versions.set(path, { uid: textField(metadata, "uid") ?? "", resourceVersion: textField(metadata, "resourceVersion") ?? "" });
      written.push({ index, text });
      onWrite?.(write.verb, "ok");
    } catch (failure) {
      if (!(failure instanceof NetFailure)) throw failure;
      if (write.verb === "delete" && failure.kind === "not-found") {
        written.push({ index, text: "" });
        continue;
      }
      onWrite?.(write.verb, failure.kind);
      return { written, failure: { index, failure } };
    }
  }
  return { written };
}
