import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { AUTHORITY } from "../../test/certificates.ts";
import type { TlsCertificate } from "../controller/http-server.ts";
import { AUTHORITY_NAME, makeAuthority, makeServerCertificate, nameOf } from "./certificate.ts";

/** Wide enough for whenever the tests run. */
const ALWAYS = { from: Date.UTC(2000, 0), to: Date.UTC(2100, 0) };
const NAMES = ["plimsoll-webhook.plimsoll-system.svc", "localhost", "127.0.0.1", "::1", "2001:db8::8a2e:370:7334"];

const authority = makeAuthority(ALWAYS);
const serving = makeServerCertificate(authority, NAMES, ALWAYS);

describe("an authority", () => {
  const read = new X509Certificate(authority.cert);

  test("is one, and signs itself", () => {
    expect(read.ca).toBe(true);
    expect(read.checkIssued(read)).toBe(true);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.subject).toBe(read.issuer);
    expect(nameOf(authority.cert)).toMatch(new RegExp(`^${AUTHORITY_NAME}[0-9a-f]{12}$`));
  });

  test("has another name and serial number than every other one", () => {
    const other = new X509Certificate(makeAuthority(ALWAYS).cert);
    expect(other.subject).not.toBe(read.subject);
    expect(other.serialNumber).not.toBe(read.serialNumber);
  });

  test("has an ECDSA key on P-256, as PKCS #8", () => {
    expect(read.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect(authority.key).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  });
});

describe("the certificate of a server", () => {
  const read = new X509Certificate(serving.cert);

  test("is signed by its authority, and by no other one", () => {
    const other = new X509Certificate(makeAuthority(ALWAYS).cert);
    expect(read.ca).toBe(false);
    expect(read.checkIssued(new X509Certificate(authority.cert))).toBe(true);
    expect(read.checkIssued(other)).toBe(false);
    expect(read.verify(new X509Certificate(authority.cert).publicKey)).toBe(true);
    expect(read.verify(other.publicKey)).toBe(false);
  });

  test("is for servers of its names only", () => {
    expect(read.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(read.subjectAltName).toBe(
      "DNS:plimsoll-webhook.plimsoll-system.svc, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, " +
        "IP Address:2001:DB8:0:0:0:8A2E:370:7334",
    );
    expect(read.checkHost("plimsoll-webhook.plimsoll-system.svc")).toBeDefined();
    expect(read.checkHost("other.plimsoll-system.svc")).toBeUndefined();
    expect(read.checkIP("::1")).toBeDefined();
    expect(read.checkIP("127.0.0.2")).toBeUndefined();
  });

  test("can have many names", () => {
    const many = Array.from({ length: 300 }, (_, index) => `name-${index}.example.com`);
    const { subjectAltName } = new X509Certificate(makeServerCertificate(authority, many, ALWAYS).cert);
    expect(subjectAltName?.split(", ")).toEqual(many.map((name) => `DNS:${name}`));
  });

  test.each([
    [Date.UTC(1999, 11, 31, 23, 59, 59), Date.UTC(2049, 11, 31, 23, 59, 59)],
    [Date.UTC(2049, 11, 31, 23, 59, 59), Date.UTC(2050, 0, 1)],
    [Date.UTC(2050, 0, 1), Date.UTC(2123, 4, 6, 7, 8, 9)],
  ])("is valid from %d to %d", (from, to) => {
    const { validFrom, validTo } = new X509Certificate(makeServerCertificate(authority, NAMES, { from, to }).cert);
    expect([Date.parse(validFrom), Date.parse(validTo)]).toEqual([from, to]);
  });
});

/** What a client that trusts some authorities says of a server that shows a certificate: nothing if all is well. */
async function handshake(shown: TlsCertificate, trusted: string, servername: string): Promise<string | undefined> {
  const server = createServer({ ...shown, minVersion: "TLSv1.2" }, (socket) => socket.end());
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((done) => {
      const socket: TLSSocket = connect(
        { host: "127.0.0.1", port, servername, ca: trusted, rejectUnauthorized: true },
        () => {
          socket.end();
          done(undefined);
        },
      );
      socket.on("error", (error: NodeJS.ErrnoException) => done(error.code));
    });
  } finally {
    server.close();
  }
}

describe("a client", () => {
  test("trusts the server if it trusts the authority, also among others", async () => {
    const other = makeAuthority(ALWAYS);
    expect(await handshake(serving, authority.cert, "localhost")).toBeUndefined();
    expect(await handshake(serving, other.cert + authority.cert, NAMES[0] as string)).toBeUndefined();
  });

  test("does not trust it under another name", async () => {
    expect(await handshake(serving, authority.cert, "other.plimsoll-system.svc")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  });

  test("does not trust it if it trusts only other authorities", async () => {
    expect(await handshake(serving, AUTHORITY, "localhost")).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
    expect(await handshake(serving, makeAuthority(ALWAYS).cert, "localhost")).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
  });

  test("does not trust it after its end", async () => {
    const ended = makeServerCertificate(authority, NAMES, { from: ALWAYS.from, to: Date.UTC(2001, 0) });
    expect(await handshake(ended, authority.cert, "localhost")).toBe("CERT_HAS_EXPIRED");
  });

  test("does not trust a certificate that a server has signed", async () => {
    const forged = makeServerCertificate(serving, NAMES, ALWAYS);
    const chain = { cert: forged.cert + serving.cert, key: forged.key };
    expect(await handshake(chain, authority.cert, "localhost")).toBeDefined();
  });
});
