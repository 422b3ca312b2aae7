// Are entries kept, verified, bounded and safe from other users? Every failure of the file system must be one sentence.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Cache, type CacheOptions, openCache } from "./cache.ts";
import { cachePlace } from "./cache-directory.ts";
import { DISK, type Disk } from "./disk.ts";

let home: string;
let trouble: string[];
const never = new AbortController().signal;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "plimsoll-cache-"));
  trouble = [];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function open(options: Partial<CacheOptions> = {}): Cache {
  return openCache({ environment: {}, home, onTrouble: (message) => trouble.push(message), ...options });
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (payload: Uint8Array | undefined): string | undefined => payload && Buffer.from(payload).toString();

/** All files of a kind, by name. */
function filesOf(kind: string): readonly string[] {
  const folder = join(home, ".cache/plimsoll", kind);
  return readdirSync(folder).map((name) => join(folder, name));
}

/** The only file of a kind. */
function fileOf(kind: string): string {
  const [file, ...more] = filesOf(kind);
  expect(more).toEqual([]);
  return file as string;
}

const ENTRY = { kind: "catalog", key: "k", about: "about" };

describe("a directory of another user", () => {
  afterEach(() => vi.restoreAllMocks());

  test.skipIf(process.getuid === undefined).for([
    ["in which all users can exchange files is not used", 0o777, false],
    ["in which they cannot, because of its sticky bit, is used", 0o1777, true],
    ["in which only that user can, is used: entries must be one's own", 0o755, true],
  ] as const)("%s", ([, mode, isUsed]) => {
    chmodSync(home, mode);
    const { uid } = lstatSync(home);
    const environment = { PLIMSOLL_CACHE_DIR: home };
    expect(cachePlace(environment, "/home/me").directory).toBe(home);
    vi.spyOn(process as Required<NodeJS.Process>, "getuid").mockReturnValue(uid + 1);
    const { directory, trouble: said } = cachePlace(environment, "/home/me");
    expect(directory).toBe(isUsed ? home : undefined);
    expect(said).toEqual(
      isUsed ? [] : [expect.stringContaining("it belongs to another user, and all users can change it")],
    );
  });
});

describe("where the cache is", () => {
  test.for([
    [{}, "/home/me", "/home/me/.cache/plimsoll"],
    [{ XDG_CACHE_HOME: "/var/cache" }, "/home/me", "/var/cache/plimsoll"],
    [{ XDG_CACHE_HOME: "relative" }, "/home/me", "/home/me/.cache/plimsoll"],
    [{ XDG_CACHE_HOME: "", PLIMSOLL_CACHE_DIR: "" }, "/home/me", "/home/me/.cache/plimsoll"],
    [{ XDG_CACHE_HOME: "/var/cache", PLIMSOLL_CACHE_DIR: "/elsewhere/" }, "/home/me", "/elsewhere"],
    [{ PLIMSOLL_CACHE_DIR: "/elsewhere" }, "", "/elsewhere"],
  ] as const)("%j", ([environment, user, directory]) => {
    expect(cachePlace(environment, user)).toEqual({ directory, maxBytes: 2 ** 31, trouble: [] });
  });

  test("without a home directory nothing is kept", async () => {
    const cache = open({ home: "" });
    await cache.put(ENTRY, bytes("payload"));
    expect(await cache.get("catalog", "k")).toBeUndefined();
    expect(text(await cache.once(ENTRY, async () => bytes("made"), never))).toBe("made");
    expect([await cache.list(), await cache.prune({ all: true })]).toEqual([[], []]);
    expect(trouble).toEqual([
      "there is no home directory for the cache, so that nothing is kept; set PLIMSOLL_CACHE_DIR to a directory",
    ]);
  });

  test("its size", () => {
    expect(cachePlace({ PLIMSOLL_CACHE_MAX_BYTES: "1000" }, "/home/me").maxBytes).toBe(1000);
    const wrong = cachePlace({ PLIMSOLL_CACHE_MAX_BYTES: "2G" }, "/home/me");
    expect(wrong.maxBytes).toBe(2 ** 31);
    expect(wrong.trouble).toEqual([
      'PLIMSOLL_CACHE_MAX_BYTES must be a number of bytes, but is "2G"; the cache may have 2 GiB',
    ]);
  });

  test("a symbolic link is not used, also with a slash behind it", async () => {
    mkdirSync(join(home, "real"));
    symlinkSync(join(home, "real"), join(home, "link"));
    const cache = open({ environment: { PLIMSOLL_CACHE_DIR: `${join(home, "link")}/` } });
    await cache.put(ENTRY, bytes("payload"));
    expect(readdirSync(join(home, "real"))).toEqual([]);
    expect(trouble).toEqual([expect.stringMatching(/is not used: it is a symbolic link; set PLIMSOLL_CACHE_DIR/)]);
  });

  test("a regular file is not used", () => {
    writeFileSync(join(home, "file"), "");
    expect(open({ environment: { PLIMSOLL_CACHE_DIR: join(home, "file") } }).directory).toBeUndefined();
    expect(trouble).toEqual([expect.stringMatching(/is not used: it is not a directory; remove it/)]);
  });
});

describe("entries", () => {
  test("are found again, with their kind and key, by this and by another run", async () => {
    const cache = open();
    await cache.put({ kind: "catalog", key: "sha256:1", about: "quay.io/x/y:v1" }, bytes("one\ntwo"));
    await cache.put({ kind: "layer", key: "sha256:1", about: "" }, new Uint8Array(0));
    for (const each of [cache, open()]) {
      const hit = await each.get("catalog", "sha256:1");
      expect([text(hit?.payload), hit?.about]).toEqual(["one\ntwo", "quay.io/x/y:v1"]);
      expect((await each.get("layer", "sha256:1"))?.payload.length).toBe(0);
      expect(await each.get("catalog", "sha256:2")).toBeUndefined();
    }
    expect(trouble).toEqual([]);
  });

  test("are for this user only", async () => {
    await open().put(ENTRY, bytes("payload"));
    expect(lstatSync(fileOf("catalog")).mode & 0o777).toBe(0o600);
    for (const folder of [".cache/plimsoll/catalog", ".cache/plimsoll", ".cache"])
      expect(lstatSync(join(home, folder)).mode & 0o777).toBe(0o700);
  });

  test("one with a key that is too long is used, and not kept", async () => {
    const key = "x".repeat(70_000);
    expect(text(await open().once({ kind: "layer", key, about: "" }, async () => bytes("a"), never))).toBe("a");
    expect(await open().get("layer", key)).toBeUndefined();
    expect(trouble).toEqual([]);
  });

  test("a later one replaces an earlier one", async () => {
    const cache = open();
    await cache.put(ENTRY, bytes("old"));
    await cache.put(ENTRY, bytes("new"));
    expect(text((await cache.get("catalog", "k"))?.payload)).toBe("new");
    expect(filesOf("catalog").length).toBe(1);
  });

  test("an edit of any byte, a lost end and an added one are noticed", async () => {
    const cache = open();
    const put = (): Promise<void> =>
      cache.put({ kind: "catalog", key: "key", about: "about it" }, bytes("the payload"));
    await put();
    const good = readFileSync(fileOf("catalog"));
    const file = fileOf("catalog");
    const damaged = [
      ...[...good.keys()].map((at) => good.map((byte, index) => (index === at ? byte ^ 1 : byte))),
      ...[...good.keys()].map((at) => good.subarray(0, at)),
      Buffer.concat([good, bytes("x")]),
    ];
    for (const [index, content] of damaged.entries()) {
      writeFileSync(file, content);
      expect(await cache.get("catalog", "key")).toBeUndefined();
      expect(existsSync(file)).toBe(false);
      expect(trouble.length).toBe(index + 1);
    }
    expect(trouble[0]).toMatch(
      /^an entry of the cache is damaged and not used: ".*"; it was removed, and is made again$/,
    );
    await put();
    expect(text((await cache.get("catalog", "key"))?.payload)).toBe("the payload");
  });

  test("no content of a file makes it fail", async () => {
    const cache = open();
    await cache.put({ kind: "catalog", key: "key", about: "about" }, bytes("payload"));
    const file = fileOf("catalog");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (content) => {
        writeFileSync(file, content);
        expect((await cache.list())[0]?.about).toBeUndefined();
        expect(await cache.get("catalog", "key")).toBeUndefined();
      }),
    );
  });

  test("the file of another entry is not taken for this one", async () => {
    const cache = open();
    await cache.put({ kind: "catalog", key: "a", about: "a" }, bytes("of a"));
    const [a = ""] = filesOf("catalog");
    await cache.put({ kind: "catalog", key: "b", about: "b" }, bytes("of b"));
    const b = filesOf("catalog").find((file) => file !== a) as string;
    renameSync(a, b);
    expect(await cache.get("catalog", "b")).toBeUndefined();
  });

  test("symbolic links, directories and named pipes are not followed", async () => {
    const cache = open();
    await cache.put(ENTRY, bytes("payload"));
    const file = fileOf("catalog");
    const elsewhere = join(home, "elsewhere");
    linkSync(file, elsewhere);
    rmSync(file);
    symlinkSync(elsewhere, file);
    expect(await cache.get("catalog", "k")).toBeUndefined();
    expect(await cache.list()).toEqual([]);
    expect(await cache.prune({ all: true })).toEqual([]);
    expect(existsSync(elsewhere)).toBe(true);
    // A new entry replaces the link, not its target.
    await cache.put(ENTRY, bytes("newer"));
    expect(text((await cache.get("catalog", "k"))?.payload)).toBe("newer");
    expect(readFileSync(elsewhere, "latin1")).toContain("payload");
    rmSync(file);
    mkdirSync(file);
    expect(await cache.get("catalog", "k")).toBeUndefined();
    rmSync(file, { recursive: true });
    execFileSync("mkfifo", [file]);
    expect(await cache.get("catalog", "k")).toBeUndefined();
  });

  test("the folder of a kind that is a symbolic link is not used", async () => {
    mkdirSync(join(home, ".cache/plimsoll"), { recursive: true });
    mkdirSync(join(home, "real"));
    symlinkSync(join(home, "real"), join(home, ".cache/plimsoll/catalog"));
    const cache = open();
    await cache.put(ENTRY, bytes("payload"));
    expect(await cache.get("catalog", "k")).toBeUndefined();
    expect(readdirSync(join(home, "real"))).toEqual([]);
    expect(trouble).toEqual([expect.stringMatching(/catalog" is not a directory of this user/)]);
  });

  test("files of other users are not read", async () => {
    const cache = open();
    await cache.put(ENTRY, bytes("payload"));
    const foreign: Disk = {
      ...DISK,
      open: async (...given) => {
        const handle = await DISK.open(...given);
        const stat = handle.stat.bind(handle);
        handle.stat = (async () => Object.assign(await stat(), { uid: 12_345 })) as typeof handle.stat;
        return handle;
      },
    };
    expect(await open({ disk: foreign }).get("catalog", "k")).toBeUndefined();
    expect(await cache.get("catalog", "k")).toBeDefined();
  });
});

describe("a file system that refuses", () => {
  const failing = (code: string): Disk => ({
    ...DISK,
    open: async (path, flags, mode) => {
      const handle = await DISK.open(path, flags, mode);
      if (flags === "wx")
        handle.writeFile = () => Promise.reject(Object.assign(new Error(code), { code, syscall: "write" }));
      return handle;
    },
  });

  test.for([
    ["ENOSPC", /nothing more is kept: the disk is full; make room, for example with `plimsoll cache prune --all`/],
    ["EDQUOT", /nothing more is kept: the disk quota is used up/],
    ["EIO", /nothing more is kept: EIO/],
  ] as const)("%s while an entry is written: one sentence, nothing is left", async ([code, message]) => {
    const cache = open({ disk: failing(code) });
    for (const key of ["a", "b"]) await cache.put({ kind: "catalog", key, about: "about" }, bytes("payload"));
    expect(
      text(await cache.once({ kind: "catalog", key: "c", about: "about" }, async () => bytes("made"), never)),
    ).toBe("made");
    expect(filesOf("catalog")).toEqual([]);
    expect(trouble).toEqual([expect.stringMatching(message)]);
  });

  test.for([
    ["EROFS", /nothing more is kept: the file system is read-only; set PLIMSOLL_CACHE_DIR to another directory$/],
    ["EACCES", /nothing more is kept: permission denied; set PLIMSOLL_CACHE_DIR to another directory$/],
  ] as const)("%s: one sentence, and everything is made", async ([code, message]) => {
    const refused = () => Promise.reject(Object.assign(new Error(code), { code, syscall: "mkdir" }));
    const cache = open({ disk: { ...DISK, mkdir: refused } });
    for (const key of ["a", "b"])
      expect(text(await cache.once({ kind: "catalog", key, about: "about" }, async () => bytes("made"), never))).toBe(
        "made",
      );
    expect(trouble).toEqual([expect.stringMatching(message)]);
  });

  test("a home that is a file", async () => {
    writeFileSync(join(home, "file"), "");
    const cache = open({ home: join(home, "file") });
    expect(await cache.get("catalog", "k")).toBeUndefined();
    await cache.put(ENTRY, bytes("payload"));
    expect([await cache.list(), await cache.prune({ all: true })]).toEqual([[], []]);
    expect(trouble).toEqual([expect.stringMatching(/a part of the path is not a directory; set PLIMSOLL_CACHE_DIR/)]);
  });

  test("entries of a read-only cache are read", async () => {
    await open().put(ENTRY, bytes("payload"));
    const refused = () => Promise.reject(Object.assign(new Error("EROFS"), { code: "EROFS", syscall: "open" }));
    const disk: Disk = { ...DISK, mkdir: refused, unlink: refused, rename: refused };
    const cache = open({ disk });
    expect(text((await cache.get("catalog", "k"))?.payload)).toBe("payload");
    expect(text(await cache.once(ENTRY, async () => bytes("made"), never))).toBe("payload");
    expect(trouble).toEqual([]);
    truncateSync(fileOf("catalog"), 20);
    expect(await cache.get("catalog", "k")).toBeUndefined();
    expect(await cache.prune({ all: true })).toEqual([]);
    expect(trouble).toEqual([
      expect.stringMatching(/damaged and not used: .*; remove it$/),
      expect.stringMatching(/cannot be removed: the file system is read-only; check the permissions/),
    ]);
  });
});

describe("the size of the cache", () => {
  /** Marks the only new entry as used in a second of 1970. */
  async function putAt(cache: Cache, key: string, second: number): Promise<void> {
    const before = new Set(existsSync(join(home, ".cache")) ? filesOf("catalog") : []);
    await cache.put({ kind: "catalog", key, about: key }, new Uint8Array(1000));
    for (const file of filesOf("catalog")) if (!before.has(file)) utimesSync(file, second, second);
  }

  test("what was not used for longest goes first", async () => {
    const cache = open({ maxBytes: 5000 });
    for (const [index, key] of ["a", "b", "c", "d"].entries()) await putAt(cache, key, 1000 + index);
    expect(await cache.get("catalog", "a")).toBeDefined();
    await cache.put({ kind: "catalog", key: "e", about: "e" }, new Uint8Array(1000));
    expect((await cache.list()).map(({ about }) => about).sort()).toEqual(["a", "c", "d", "e"]);
  });

  test("prune removes down to a size, or everything", async () => {
    const cache = open();
    for (const [index, key] of ["a", "b", "c"].entries()) await putAt(cache, key, 1000 + index);
    expect((await cache.list()).map(({ about, usedAt }) => [about, usedAt])).toEqual([
      ["c", 1_002_000],
      ["b", 1_001_000],
      ["a", 1_000_000],
    ]);
    expect(await cache.prune()).toEqual([]);
    expect((await cache.prune({ maxBytes: 2500 })).map(({ about }) => about)).toEqual(["a"]);
    expect((await cache.prune({ all: true })).map(({ about }) => about)).toEqual(["c", "b"]);
    expect(await cache.list()).toEqual([]);
  });

  test("a payload that is too large is not kept, and that is said", async () => {
    const cache = open({ maxBytes: 100 });
    await cache.put({ kind: "catalog", key: "k", about: "a large catalog" }, new Uint8Array(101));
    expect(await cache.list()).toEqual([]);
    expect(trouble).toEqual([
      '"a large catalog" is not kept in the cache: it has 101 bytes, and the limit is 100; set PLIMSOLL_CACHE_MAX_BYTES to a larger number',
    ]);
    const none = open({ maxBytes: 0 });
    await none.put({ kind: "catalog", key: "k", about: "a large catalog" }, new Uint8Array(101));
    expect(trouble.length).toBe(1);
  });

  test("what killed processes left behind goes when it is old; other files stay", async () => {
    const cache = open();
    await cache.put(ENTRY, bytes("payload"));
    const entry = fileOf("catalog");
    const old = [`${entry}.123-00ff.tmp`, `${entry}.lock`, `${entry}.lock.123-00ff`];
    const kept = [`${entry}.7-00ff.tmp`, join(entry, "../notes.txt"), join(entry, "../../README")];
    for (const file of [...old, ...kept]) writeFileSync(file, "x");
    for (const file of [...old, ...kept.slice(1)]) utimesSync(file, 1000, 1000);
    await cache.put({ kind: "catalog", key: "other", about: "about" }, bytes("payload"));
    expect([...old, ...kept].filter((file) => existsSync(file))).toEqual(kept);
    await cache.prune({ all: true });
    expect([entry, ...kept].filter((file) => existsSync(file))).toEqual(kept);
  });
});

describe("once", () => {
  test("makes an entry that is missing, and only then", async () => {
    const cache = open();
    let made = 0;
    const make = async (): Promise<Uint8Array> => bytes(`made ${++made}`);
    for (const each of [cache, cache, open()]) expect(text(await each.once(ENTRY, make, never))).toBe("made 1");
    expect(filesOf("catalog").length).toBe(1);
  });

  test("several calls of one process make it once", async () => {
    const cache = open();
    let made = 0;
    const make = async (): Promise<Uint8Array> => bytes(`made ${++made}`);
    const calls = Array.from({ length: 5 }, () => cache.once(ENTRY, make, never));
    expect((await Promise.all(calls)).map(text)).toEqual(Array(5).fill("made 1"));
  });

  test("if making fails, the others try themselves, and no lock is left", async () => {
    const cache = open();
    let made = 0;
    const make = async (): Promise<Uint8Array> => {
      made++;
      throw new Error(`attempt ${made}`);
    };
    const calls = Array.from({ length: 3 }, () => cache.once(ENTRY, make, never));
    const results = await Promise.allSettled(calls);
    expect(results.map((result) => result.status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(made).toBe(3);
    expect(filesOf("catalog")).toEqual([]);
  });

  test("a lock without a process is taken over: a dead one, and an old one of elsewhere", async () => {
    const cache = open();
    await cache.put(ENTRY, bytes("payload"));
    const lock = `${fileOf("catalog")}.lock`;
    for (const [content, time] of [
      ["", 1000],
      ['{"pid":1,"host":"elsewhere"}', 1000],
      ["no json", 1000],
    ] as const) {
      rmSync(fileOf("catalog"));
      writeFileSync(lock, content);
      utimesSync(lock, time, time);
      expect(text(await cache.once(ENTRY, async () => bytes("made"), never))).toBe("made");
      expect(existsSync(lock)).toBe(false);
    }
  });

  test("a wait ends with its signal", async () => {
    const cache = open();
    let end = (_: Uint8Array): void => {};
    let first: Promise<Uint8Array> | undefined;
    await new Promise<void>((begun) => {
      const make = (): Promise<Uint8Array> => {
        begun();
        return new Promise((resolve) => {
          end = resolve;
        });
      };
      first = cache.once(ENTRY, make, never);
    });
    const abort = new AbortController();
    const second = cache.once(ENTRY, async () => bytes("not this"), abort.signal);
    setTimeout(() => abort.abort(new Error("enough")), 100);
    await expect(second).rejects.toThrow("enough");
    end(bytes("made"));
    expect(text(await first)).toBe("made");
  });

  test("a lock that cannot be made is not needed", async () => {
    const disk: Disk = {
      ...DISK,
      open: (path, flags, mode) =>
        String(path).endsWith(".lock")
          ? Promise.reject(Object.assign(new Error("EACCES"), { code: "EACCES", syscall: "open" }))
          : DISK.open(path, flags, mode),
    };
    const cache = open({ disk });
    expect(text(await cache.once(ENTRY, async () => bytes("made"), never))).toBe("made");
    expect(text((await cache.get("catalog", "k"))?.payload)).toBe("made");
  });
});
