// Which patterns were used lately, so that they need not be compiled again?

/** Values by their key, as many as fit; the least recently used are removed first. */
export interface Recent<V> {
  get(key: string): V | undefined;
  /** Keeps a value of this size, unless it exceeds the limit by itself. */
  set(key: string, value: V, room: number): void;
}

/** A cache with limits for the number and the total size of its values. */
export function createRecent<V>(mostValues: number, mostRoom: number): Recent<V> {
  // A Map is in the order of insertion; what is used is inserted again.
  const kept = new Map<string, { readonly value: V; readonly room: number }>();
  let taken = 0;
  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    set(key, value, room) {
      taken -= kept.get(key)?.room ?? 0;
      kept.delete(key);
      if (room > mostRoom) return;
      kept.set(key, { value, room });
      taken += room;
      for (const [oldest, { room: freed }] of kept) {
        if (kept.size <= mostValues && taken <= mostRoom) break;
        kept.delete(oldest);
        taken -= freed;
      }
    },
  };
}
