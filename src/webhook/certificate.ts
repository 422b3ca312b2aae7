// Which certificate does the webhook show, and who signed it? An authority of our own and a certificate for a server: X.509 v3 with
// ECDSA keys on P-256, as RFC 5280 describes them.

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import type { TlsCertificate } from "../controller/http-server.ts";
import { bits, type Der, integer, octets, oid, sequence, set, TRUE, tagged, time, utf8Text } from "./der.ts";

/** When a certificate is valid, in milliseconds since 1970. */
export interface Validity {
  readonly from: number;
  readonly to: number;
}

/** What every name of an authority of ours begins with. */
export const AUTHORITY_NAME = "plimsoll-webhook-";

/** A new authority, which signs itself. Its name is that of its key, so that no two are confused. */
export function makeAuthority(validity: Validity): TlsCertificate {
  const keys = newKeys();
  const id = keyId(keys.publicKey);
  const name = AUTHORITY_NAME + id.subarray(0, 6).toString("hex");
  const extensions = [
    critical(OID.basicConstraints, sequence(TRUE, integer(Buffer.from([0])))),
    critical(OID.keyUsage, bits(Buffer.from([KEY_CERT_SIGN | CRL_SIGN]), 1)),
    extension(OID.subjectKeyIdentifier, octets(id)),
  ];
  return signed({ keys, name, validity, extensions }, { name, key: keys.privateKey });
}

/** A new certificate for a server of these DNS names and IP addresses, signed by an authority of {@link makeAuthority}. */
export function makeServerCertificate(
  authority: TlsCertificate,
  names: readonly string[],
  validity: Validity,
): TlsCertificate {
  const keys = newKeys();
  const issuer = createPrivateKey(authority.key);
  const extensions = [
    critical(OID.basicConstraints, sequence()),
    critical(OID.keyUsage, bits(Buffer.from([DIGITAL_SIGNATURE]), 7)),
    extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuthentication))),
    extension(OID.subjectAltName, sequence(...names.map(alternativeName))),
    extension(OID.subjectKeyIdentifier, octets(keyId(keys.publicKey))),
    extension(OID.authorityKeyIdentifier, sequence(tagged(0x80, keyId(createPublicKey(issuer))))),
  ];
  const name = "plimsoll-webhook";
  return signed({ keys, name, validity, extensions }, { name: nameOf(authority.cert), key: issuer });
}

/** The common name of a certificate that is ours; any other text for one that is not. */
export function nameOf(cert: string): string {
  return new X509Certificate(cert).subject.replace(/^CN=/, "");
}

const OID = {
  commonName: "2.5.4.3",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuthentication: "1.3.6.1.5.5.7.3.1",
} as const;

/** Bits of keyUsage; the first bit is the highest one. */
const DIGITAL_SIGNATURE = 0x80;
const KEY_CERT_SIGN = 0x04;
const CRL_SIGN = 0x02;

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface ToSign {
  readonly keys: Keys;
  readonly name: string;
  readonly validity: Validity;
  readonly extensions: readonly Der[];
}

const SIGNATURE = sequence(oid(OID.ecdsaWithSha256));
const SERIAL_BYTES = 16;

function signed(
  { keys, name, validity, extensions }: ToSign,
  issuer: { readonly name: string; readonly key: KeyObject },
): TlsCertificate {
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(randomBytes(SERIAL_BYTES)),
    SIGNATURE,
    commonName(issuer.name),
    sequence(time(validity.from), time(validity.to)),
    commonName(name),
    keys.publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", content, { key: issuer.key, dsaEncoding: "der" });
  return {
    cert: pem("CERTIFICATE", sequence(content, SIGNATURE, bits(signature))),
    key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function newKeys(): Keys {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** RFC 7093, method 1: the first 160 bits of a SHA-256 over the bits of the public key, which end its DER. */
function keyId(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return createHash("sha256").update(point).digest().subarray(0, 20);
}

function commonName(name: string): Der {
  return sequence(set(sequence(oid(OID.commonName), utf8Text(name))));
}

function extension(id: string, value: Der): Der {
  return sequence(oid(id), octets(value));
}

function critical(id: string, value: Der): Der {
  return sequence(oid(id), TRUE, octets(value));
}

/** A DNS name or an IP address as a GeneralName. */
function alternativeName(name: string): Der {
  if (isIPv4(name)) return tagged(0x87, Buffer.from(name.split(".").map(Number)));
  if (isIPv6(name)) return tagged(0x87, ipv6Bytes(name));
  return tagged(0x82, Buffer.from(name, "latin1"));
}

/** The 16 bytes of an IPv6 address without an embedded IPv4 address. */
function ipv6Bytes(address: string): Der {
  const [before = "", after = ""] = address.split("::");
  const words = (text: string): readonly number[] =>
    text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16));
  const [first, last] = [words(before), words(after)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return Buffer.from([...first, ...zeros, ...last].flatMap((word) => [word >> 8, word & 0xff]));
}

function pem(label: string, content: Der): string {
  const lines = Buffer.from(content)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
