import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { overloadOf } from "../../../../test/cel/call-overload.ts";
import { call, plain } from "../../../../test/differential/cel-kubernetes/call.ts";
import { CelMap } from "../../value/boxes.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";
import { fromBytes, goQuote, toBytes } from "./byte-text.ts";
import { urlLibrary } from "./url.ts";

// Hundreds of texts are checked against Kubernetes in test/differential/cel-url.test.ts.

const ask = (id: string, ...args: readonly Result[]): Result => call(urlLibrary, id, ...args);
const url = (text: string): Value => ask("string_to_url", text) as Value;

describe("URLs", () => {
  test("the parts", () => {
    const value = url("https://user:pass@[::1]:80/a b?k=1&k=2&l=#end");
    expect(ask("url_get_scheme", value)).toBe("https");
    expect(ask("url_get_host", value)).toBe("[::1]:80");
    expect(ask("url_get_hostname", value)).toBe("::1");
    expect(ask("url_get_port", value)).toBe("80");
    expect(ask("url_get_escaped_path", value)).toBe("/a%20b");
    const query = ask("url_get_query", value) as CelMap;
    expect([...query.entries.values()]).toEqual([
      ["k", ["1", "2"]],
      ["l", [""]],
    ]);
  });

  test("the error has the reason, and is shorter than the URL", () => {
    expect(ask("string_to_url", "../x")).toEqual(
      new CelError('"../x" is not an absolute URL or path: invalid URI for request'),
    );
    const long = ask("string_to_url", `http://h:${"x".repeat(100_000)}`) as CelError;
    expect(long.message.length).toBeLessThan(400);
  });

  test("printing keeps the parts", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (text) => {
        const value = url(text);
        const again = url(String(value));
        expect(String(again)).toBe(String(value));
        for (const part of ["scheme", "host", "hostname", "port", "escaped_path"]) {
          expect(ask(`url_get_${part}`, again)).toBe(ask(`url_get_${part}`, value));
        }
      }),
    );
  });

  test("too many parameters are none at all, as in Go", () => {
    const count = (parameters: number): number => {
      const text = `/?${Array.from({ length: parameters }, (_, index) => `p${index}=1`).join("&")}`;
      return (ask("url_get_query", url(text)) as CelMap).entries.size;
    };
    expect(count(10_000)).toBe(10_000);
    expect(count(10_001)).toBe(0);
  });

  test("names of parameters are only names", () => {
    const query = ask("url_get_query", url("/?__proto__=1&constructor=2")) as CelMap;
    expect(query).toBeInstanceOf(CelMap);
    expect([...query.entries.keys()]).toEqual(["__proto__", "constructor"]);
  });

  test("results that cost 1 are counted as memory", () => {
    let units = 0;
    const running = { bindings: {}, allocate: (count: number) => (units += count) };
    overloadOf(urlLibrary, "url_get_escaped_path").call(url(`/${"ä".repeat(1000)}`), running);
    expect(units).toBe(6001);
  });

  test("long texts take no longer than they are", () => {
    const n = 300_000;
    for (const text of [`/${"%".repeat(n)}`, `/${"%41".repeat(n)}`, `http://${"[".repeat(n)}`, `/?${"&".repeat(n)}`]) {
      plain(ask("string_to_url", text));
      ask("is_url_string", text);
    }
    expect(ask("is_url_string", `http://[${"1:".repeat(n)}]/`)).toBe(false);
    expect(ask("is_url_string", `http://h${":1".repeat(n)}/`)).toBe(false);
  });
});

describe("texts of bytes", () => {
  test("they are the text again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(fromBytes(toBytes(text))).toBe(text);
      }),
    );
  });

  test.for([
    ["abc", '"abc"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["\n\t\0\x7f", '"\\n\\t\\x00\\x7f"'],
    ["ä\u{1f600}", '"ä\u{1f600}"'],
    ["\u00a0\u2028\ufeff", '"\\u00a0\\u2028\\ufeff"'],
    ["\u{e0001}", '"\\U000e0001"'],
  ] as const)("quoted as in Go: %s", ([text, quoted]) => {
    expect(goQuote(toBytes(text))).toBe(quoted);
  });

  test("bytes that are no characters are quoted one by one", () => {
    expect(goQuote("\xc3\xa4\xff\xc3")).toBe('"ä\\xff\\xc3"');
  });
});
