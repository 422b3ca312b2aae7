// Which token servers may have the credentials of a registry?
import { expect, test } from "vitest";
import { isRelatedHost } from "./token.ts";

test.for<[string, string, boolean]>([
  ["quay.io", "quay.io", true],
  ["registry.example.com", "auth.example.com", true],
  ["registry.gitlab.com", "gitlab.com", true],
  ["a.b.example.com", "example.com", true],
  ["registry-1.docker.io", "auth.docker.io", true],
  ["quay.io", "auth.docker.io", false],
  ["quay.io", "evil.io", false],
  ["quay.io", "io", false],
  ["registry.example.com", "com", false],
  ["registry.example.com", "evil.com", false],
  ["registry.example.com", "evilexample.com", false],
  ["registry.example.com", "example.com.evil.net", false],
  ["registry.example.com", "a.b.example.com", false],
  ["example.com", "auth.example.com", false],
  ["registry.co.uk", "evil.co.uk", false],
  ["registry.company.co.uk", "auth.company.co.uk", true],
  ["10.0.0.1", "9.0.0.1", false],
  ["10.0.0.1", "0.0.1", false],
  ["10.0.0.1", "10.0.0.1", true],
  ["localhost", "127.0.0.1", false],
  ["__proto__", "x", false],
])("%s and %s: %s", ([registry, other, isRelated]) => {
  expect(isRelatedHost(registry, other)).toBe(isRelated);
});
