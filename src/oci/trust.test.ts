// Whose certificates are trusted for a registry, and is that found out once?

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CERTIFICATES } from "../../test/certificates.ts";
import { folder } from "../../test/kube/scripted-server.ts";
import { tlsFor } from "./trust.ts";

test("hosts with the same authorities share what TLS needs of them", () => {
  const home = folder();
  const own = join(home, ".config/containers/certs.d/own.example");
  mkdirSync(own, { recursive: true });
  cpSync(join(CERTIFICATES, "authority.crt"), join(own, "ca.crt"));
  const contextOf = (url: string): unknown =>
    tlsFor(new URL(url), [], { environment: {}, home, system: "/nonexistent" }).secureContext;
  expect(contextOf("https://one.example")).toBe(contextOf("https://other.example:5000"));
  expect(contextOf("https://own.example")).not.toBe(contextOf("https://one.example"));
  expect(contextOf("https://own.example")).toBe(contextOf("https://own.example"));
});
