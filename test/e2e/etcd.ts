// What does an administrator do to the etcd of a test? Through its JSON gateway: forget old revisions, make room after its
// quota was exceeded.

/** How much etcd may store, in bytes, before it refuses every write: a flag for `startCluster`. */
export function quotaFlag(bytes: number): string {
  return `--quota-backend-bytes=${bytes}`;
}

/** Lets etcd forget all revisions but the last. */
export async function compact(etcd: string): Promise<void> {
  const { header } = (await ask(etcd, "maintenance/status")) as { readonly header?: { readonly revision?: string } };
  await ask(etcd, "kv/compaction", { revision: header?.revision, physical: true });
}

/** An alarm of a member; etcd refuses writes while there is one. */
interface Alarm {
  readonly memberID: string;
  readonly alarm: string;
}

/** Gives back the space that is not used, and ends the alarm that the quota was exceeded (NOSPACE). */
export async function makeRoom(etcd: string): Promise<void> {
  await compact(etcd);
  await ask(etcd, "maintenance/defragment");
  const { alarms = [] } = (await ask(etcd, "maintenance/alarm", { action: "GET" })) as {
    readonly alarms?: readonly Alarm[];
  };
  for (const { memberID, alarm } of alarms)
    await ask(etcd, "maintenance/alarm", { action: "DEACTIVATE", memberID, alarm });
}

async function ask(etcd: string, path: string, body: object = {}): Promise<object> {
  const answer = await fetch(`${etcd}/v3/${path}`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`etcd answers ${answer.status} to ${path}: ${await answer.text()}`);
  return (await answer.json()) as object;
}
