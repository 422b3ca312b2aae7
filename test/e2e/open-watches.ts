// What is watched at an API server? After an outage every reader comes back to each of its collections in its own time.

import type { ApiClient } from "./api-client.ts";
import { until } from "./controller/until.ts";

/** How many watches are open, by collection: `group/resource`. */
export async function openWatches(admin: ApiClient): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const lines = (await admin.text("/metrics")).matchAll(/^apiserver_longrunning_requests\{(.*)\} (\S+)$/gm);
  for (const [, labels = "", count] of lines) {
    const label = (name: string): string => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? "";
    const collection = `${label("group")}/${label("resource")}`;
    if (label("verb") === "WATCH") found.set(collection, (found.get(collection) ?? 0) + Number(count));
  }
  return found;
}

/** Waits until at least as many watches of each collection are open as before. */
export async function areOpenAgain(admin: ApiClient, before: ReadonlyMap<string, number>): Promise<void> {
  let missing: readonly string[] = [];
  await until(
    "everything is watched again",
    async () => {
      const now = await openWatches(admin);
      missing = [...before].flatMap(([collection, count]) => ((now.get(collection) ?? 0) < count ? [collection] : []));
      return missing.length === 0 || undefined;
    },
    () => missing,
  );
}
