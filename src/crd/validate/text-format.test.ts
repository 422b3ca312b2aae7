// The verdicts are those of Kubernetes' apiextensions-apiserver v0.37.2 on the same texts.

import { expect, test } from "vitest";
import { textFormat } from "./text-format.ts";

interface FormatCase {
  readonly format: string;
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const CASES: readonly FormatCase[] = [
  {
    format: "bsonobjectid",
    valid: ["507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011"],
    invalid: ["507f1f77bcf86cd79943901", "zzzf1f77bcf86cd799439011", ""],
  },
  {
    format: "uri",
    valid: ["http://a.b/c", "/abs", "mailto:a@b.c", "http://[::1]:80/", "*"],
    invalid: ["foobar.com", "", "http://a b/", "http://a:b/", "./rel", "http://%zz/"],
  },
  {
    format: "email",
    valid: [
      "a@b.c",
      "a@b",
      "A <a@b>",
      '"x y"@b',
      "<a@b>",
      "a@[1.2.3.4]",
      "a@b (note)",
      "g: a@b;",
      "a (c) <a@b>",
      "é@b.c",
      "a@ b",
      " a@b ",
      '"a\\"b"@c',
      "x y z <a@b>",
      'x "y" <a@b>',
      "..x <a@b>",
      "\ta@b",
      "=?utf-8?q?x?= <a@b>",
      "=?US-ASCII?b?eA==?= <a@b>",
      "A =?x?q?x?= <a@b>",
      "=?x?q?=zz?= <a@b>",
      "=?x?b?eA?= <a@b>",
      '"=?x?q?x?=" <a@b>',
      "a@b (=?iso-8859-1?q?x?=)",
    ],
    invalid: [
      "=?x?q?x?= <a@b>",
      "=?utf-16?b?eA==?= <a@b>",
      "=?utf-8?q??= =?x?q?x?= <a@b>",
      "a@b (y =?x?q?x?=)",
      "=?utf-8?q?x?= (c) b <a@b>",
      '""@b',
      "a@",
      "@b",
      "a@b@c",
      "a.@b",
      "a..b@c",
      "a b@c",
      "a@[x]",
      "a@b (note",
      "g: a@b, c@d;",
      "g:;",
      "(c) a@b",
      "a@b,",
      "a @b",
      "x<a@b",
      "a@.b",
      "<>",
      "x",
      "x <a@b> y",
      "(a)",
      "a@b\n",
    ],
  },
  {
    format: "hostname",
    valid: ["a", "a-", "a.bc", "example.com", "x".repeat(63), "é.com", "☃.net", "a-b", "a-b.c-d.com"],
    invalid: ["-a", "a.b", "a_b.com", "x".repeat(64), "a.b.c1", "", "1.2.3.4", "a..com", "a--b"],
  },
  {
    format: "ipv4",
    valid: ["1.2.3.4", "01.2.3.4", "::ffff:1.2.3.4", "001.002.003.004", "0.0.0.0", "::ffff:01.2.3.4", "0001.2.3.4"],
    invalid: ["256.1.1.1", "1.2.3", "::1", "1.2.3.4.5", "", "1.2.3.4%eth0"],
  },
  {
    format: "ipv6",
    valid: ["::1", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8", "::"],
    invalid: ["1.2.3.4", "::ffff:01.2.3.4", "fe80::1%eth0", "1:2:3:4:5:6:7", ":::", "12345::"],
  },
  {
    format: "cidr",
    valid: ["10.0.0.0/8", "10.0.0.1/8", "::/0", "010.0.0.0/08", "::ffff:1.2.3.4/96", "::00010/64"],
    invalid: ["10.0.0.0/33", "::/129", "10.0.0.0", "10.0.0.0/", "10.0.0.0/-1", "a/1", "1.2.3.4/1/2"],
  },
  {
    format: "mac",
    valid: [
      "3D:F2:C9:A6:B3:4F",
      "3D-F2-C9-A6-B3-4F",
      "3df2.c9a6.b34f",
      "3DF2c9a6b34f",
      "3df2c9a6b34f0001",
      "0000000000000000000000000000000000000000",
      "00:00:00:00:00:00:00:00",
      "00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00",
      "0000.0000.0000.0000",
    ],
    invalid: [
      "3df2c9a6b34",
      "3df2c9a6b34f0",
      "3df2c9a6b34g",
      "3D-F2-C9-A6-B3:4F",
      "3df2.c9a6",
      "0:0:0:0:0:0",
      "",
      ":",
      "00:00:00:00:00:00:00",
    ],
  },
  {
    format: "uuid",
    valid: ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "F81D4FAE7DEC11D0A76500A0C91E6BF6"],
    invalid: ["f81d4fae-7dec-11d0-a765-00a0c91e6bf", ""],
  },
  {
    format: "uuid3",
    valid: ["bcd02e22-68f0-3046-a512-327cca9def8f"],
    invalid: ["bcd02e22-68f0-4046-a512-327cca9def8f"],
  },
  {
    format: "uuid4",
    valid: ["025b0d74-00a2-4048-bf57-227c5111bb34"],
    invalid: ["025b0d74-00a2-4048-7f57-227c5111bb34"],
  },
  {
    format: "uuid5",
    valid: ["886313e1-3b8a-5372-9b90-0c9aee199e5d"],
    invalid: ["886313e1-3b8a-4372-9b90-0c9aee199e5d"],
  },
  { format: "isbn", valid: ["0321751043", "978-0321751041", "3 401 01319 X"], invalid: ["foo", "0321751044"] },
  { format: "isbn10", valid: ["0321751043", "3 401 01319 X"], invalid: ["978-0321751041", "3-423-21412-1"] },
  { format: "isbn13", valid: ["978-0321751041"], invalid: ["0321751043", "978 3 8362 2119 0"] },
  {
    format: "creditcard",
    valid: ["4111-1111-1111-1111", "4220855426222389", "374953669708156", "4111 abc 1111 1111 1111"],
    invalid: ["4220855426213389", ""],
  },
  { format: "ssn", valid: ["111-11-1111", "111 11 1111"], invalid: ["111111111", "111-11-111"] },
  { format: "hexcolor", valid: ["#fff", "FFFFFF"], invalid: ["#ff", "#ff12FG"] },
  {
    format: "rgbcolor",
    valid: ["rgb(0,31,255)", "rgb(0, 31 , 255)"],
    invalid: ["rgb(256,1,1)", "rgb(01,1,1)", "rgb(1,1)", "rgba(1,1,1)", "rgb(1,1,1,1)"],
  },
  { format: "byte", valid: ["aGk=", "aG==", "aGVsbG8=", "YQ=="], invalid: ["aGk", "a", "", "====", "a=Gk"] },
  { format: "password", valid: ["anything", ""], invalid: [] },
  { format: "date", valid: ["2026-02-28", "2024-02-29"], invalid: ["2026-02-29", "2026-2-28", "2026-13-01", ""] },
  {
    format: "duration",
    valid: [
      "1h",
      "1h30m",
      "1.5h",
      "-2s",
      "0",
      "22 ns",
      "2 days",
      "1 week",
      "1.s",
      ".5s",
      "3 hours ago",
      "1d",
      "1µs",
      "1μs",
      "5 m i n",
      "+1s",
      "1 mins",
      "2 Hours",
      "9223372036854775807h",
    ],
    invalid: ["5", "x", "1 fortnight", "99999999999999999999 s", "99999999999999999999s 1s", "h"],
  },
  {
    format: "date-time",
    valid: ["2014-12-15T19:30:20.000Z", "2014-12-15T19:30:20Z", "2014-12-15t19:30:20z", "2014-12-15T19:30:20+01:00"],
    invalid: [
      "2014-12-15T19:30:20",
      "2014-12-15T24:30:20Z",
      "2014-12-15 19:30:20Z",
      "2014-02-30T19:30:20Z",
      "2014-12-15T19:30:60Z",
      "x",
    ],
  },
  { format: "datetime", valid: ["2014-12-15T19:30:20Z"], invalid: ["x"] },
  { format: "k8s-short-name", valid: ["a", "a-b", "x".repeat(63)], invalid: ["A", "-a", "x".repeat(64), "a.b", ""] },
  {
    format: "k8s-long-name",
    valid: ["a.b", "a", `${"x".repeat(64)}.b`],
    invalid: ["A.b", "a..b", "x".repeat(254), ""],
  },
  { format: "unknown", valid: ["x", ""], invalid: [] },
  { format: "d-a-t-e", valid: ["2026-02-28"], invalid: ["x"] },
];

test.each(CASES)("the format $format", ({ format, valid, invalid }) => {
  const isOf = textFormat(format) ?? (() => true);
  expect([...valid, ...invalid].filter(isOf)).toEqual(valid);
});

test("formats that the API server does not know are ignored", () => {
  expect(["unknown", "int32", "Date", "regex"].map(textFormat)).toEqual([undefined, undefined, undefined, undefined]);
});

test.each(CASES)("a long text is no trap for $format", ({ format }) => {
  const isOf = textFormat(format) ?? (() => true);
  for (const unit of ["1", "a", "0:", "1h", "(", "a@", '"\\', "1 ", "::", ".", "rgb( ", "-", "a <", "g: a@b, "]) {
    expect(() => isOf(unit.repeat(50_000))).not.toThrow();
    expect(() => isOf(`x@${unit.repeat(50_000)}`)).not.toThrow();
  }
});
