// Is every credential removed from text that goes into a message?
import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutSecrets } from "./hide-secrets.ts";

test.for([
  ["Authorization: Bearer abc.def-123456", "Authorization: Bearer [hidden]"],
  ["token eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.sig ends", "token [hidden] ends"],
  ["use sha256~AbC_dEf-12 now", "use [hidden] now"],
  ["k8s-aws-v1.aHR0cHM6Ly9", "[hidden]"],
  ['{"access_token": "short12"}', '{"access_token": [hidden]"}'],
  ["GET https://me:pw@host/path?x=1", "GET https://host/path?[hidden]"],
  ["GET https://me:p@ss@host/path@1", "GET https://host/path@1"],
  ["-----BEGIN PRIVATE KEY-----\nMIGH\nAgEA\n-----END PRIVATE KEY-----\nend", "[hidden] end"],
  [`id ${"aB3".repeat(20)} end`, "id [hidden] end"],
  ["two\nlines\tand\u0000a zero", "two lines and\\u0000a zero"],
  ['a "quoted" C:\\path', 'a "quoted" C:\\path'],
])("%j", ([text, expected]) => {
  expect(withoutSecrets(text as string)).toBe(expected);
});

test("a known secret, anywhere", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 4, maxLength: 40 }),
      fc.string(),
      fc.string({ maxLength: 30_000 }),
      (secret, a, b) => {
        fc.pre(!`${a}${b}`.includes(secret) && !"[hidden]".includes(secret) && secret.trim() === secret);
        fc.pre(!/\s\s|[^ -~]|\\|"/.test(secret));
        const shown = withoutSecrets(`${a} ${secret} ${b} ${secret}`, [secret]);
        // Nothing but coincidence could build it again from the rest.
        expect(shown.replaceAll("[hidden]", "\u0000").includes(secret)).toBe(false);
      },
    ),
  );
});

test("a secret that lies across the end of what is read", () => {
  const secret = "opaque-secret-value";
  const text = `a ${" ".repeat(16 * 1024 - 7)}${secret}`;
  expect(withoutSecrets(text, [secret])).not.toContain("opaqu");
});

test("long text takes no longer than short", () => {
  for (const unit of ["a", "-----BEGIN ", "eyJ.", "token=", "x://", " ", "bearer "])
    expect(withoutSecrets(unit.repeat(2_000_000)).length).toBeLessThanOrEqual(400);
});
