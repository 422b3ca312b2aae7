// What is in the Secret of the webhook, and is it still good? An authority and the certificate that it signed; both are renewed after two
// thirds of their lives, in an order in which the API server never meets a certificate whose authority it does not know.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { TlsCertificate } from "../controller/http-server.ts";
import { type JsonObject, own, partOf } from "../model/json.ts";
import { AUTHORITY_NAME, makeAuthority, makeServerCertificate, nameOf, type Validity } from "./certificate.ts";

/** The content of the Secret. */
export interface ServingSecret {
  /** Certificates of authorities, the newest first. All of them are announced to the API server. */
  readonly authorities: readonly string[];
  /** The key of the newest one. */
  readonly authorityKey: string;
  readonly serving: TlsCertificate;
}

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const AUTHORITY_LIFE = 730 * DAY;
const SERVING_LIFE = 90 * DAY;
/** A certificate is valid a little before it is made: clocks differ. */
const BACKDATED = HOUR;
/** After this time every replica and every API server has taken note of a change. */
const SETTLED = HOUR;
const MAX_AUTHORITIES = 4;

/** What the Secret must be now. */
export interface Renewal {
  readonly secret: ServingSecret;
  /** Why it must be written; empty if it is good as it is. */
  readonly why: string;
  /** Can the certificate that there is be shown? */
  readonly isUsable: boolean;
}

/** Renews what has to be renewed. Undefined: there is nothing, or nothing that can be read. */
export function renewed(known: ServingSecret | undefined, names: readonly string[], now: number): Renewal {
  const before = (known?.authorities ?? []).filter((cert) => isAuthority(cert, now));
  const newest = newestOf(known, before);
  const isOldAuthority = newest !== undefined && isWornOut(newest.cert, now);
  const authority = newest === undefined || isOldAuthority ? makeAuthority(validityFrom(now, AUTHORITY_LIFE)) : newest;
  const authorities = authority === newest ? before : [authority.cert, ...before].slice(0, MAX_AUTHORITIES);
  const sign = (): TlsCertificate => makeServerCertificate(authority, names, validityFrom(now, SERVING_LIFE));
  const all = { authorities, authorityKey: authority.key };
  const fault = known === undefined ? "there was none" : servingFault(known.serving, names, before, now);
  if (known === undefined || fault !== undefined)
    return { secret: { ...all, serving: sign() }, why: fault ?? "", isUsable: false };
  const { serving } = known;
  const kept = { ...all, serving };
  // One that is not announced long enough signs nothing yet.
  if (isWornOut(serving.cert, now) && isSettled(authority.cert, now))
    return { secret: { ...all, serving: sign() }, why: `the certificate ${WORN_OUT}`, isUsable: true };
  if (authority !== newest)
    return {
      secret: kept,
      why: isOldAuthority ? `the authority ${WORN_OUT}` : "the authority cannot sign",
      isUsable: true,
    };
  const isRelieved = isSignedBy(serving.cert, authority.cert) && isSettled(serving.cert, now);
  const needed = isRelieved ? [authority.cert] : authorities;
  const why = needed.length < known.authorities.length ? "an old authority is not needed any more" : "";
  return { secret: { ...kept, authorities: needed }, why, isUsable: true };
}

const WORN_OUT = "has two thirds of its life behind it";

/** When a certificate is valid. */
export function validityOf(cert: string): Validity {
  const { validFrom, validTo } = new X509Certificate(cert);
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
}

function validityFrom(now: number, life: number): Validity {
  return { from: now - BACKDATED, to: now + life };
}

function isValid(cert: string, now: number): boolean {
  const { from, to } = validityOf(cert);
  return from <= now && now < to;
}

function isWornOut(cert: string, now: number): boolean {
  const { from, to } = validityOf(cert);
  return now >= from + ((to - from) * 2) / 3;
}

/** Was a certificate made so long ago that it is known everywhere? */
function isSettled(cert: string, now: number): boolean {
  return now >= validityOf(cert).from + BACKDATED + SETTLED;
}

function isSignedBy(cert: string, authority: string): boolean {
  return new X509Certificate(cert).verify(new X509Certificate(authority).publicKey);
}

/** Is it an authority of ours that is valid? */
function isAuthority(cert: string, now: number): boolean {
  try {
    return (
      new X509Certificate(cert).ca &&
      nameOf(cert).startsWith(AUTHORITY_NAME) &&
      isSignedBy(cert, cert) &&
      isValid(cert, now)
    );
  } catch {
    return false;
  }
}

/** The newest authority, if it is valid and can sign. */
function newestOf(known: ServingSecret | undefined, valid: readonly string[]): TlsCertificate | undefined {
  const cert = known?.authorities[0];
  if (known === undefined || cert === undefined || !valid.includes(cert) || !fits(cert, known.authorityKey))
    return undefined;
  return { cert, key: known.authorityKey };
}

function fits(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** Why a certificate cannot be shown any more. */
function servingFault(
  { cert, key }: TlsCertificate,
  names: readonly string[],
  authorities: readonly string[],
  now: number,
): string | undefined {
  try {
    if (!fits(cert, key)) return "the certificate and its key do not belong together";
    if (!isValid(cert, now)) return "the certificate is not valid now";
    if (!authorities.some((authority) => isSignedBy(cert, authority)))
      return "the certificate is signed by another authority";
    return names.every((name) => isFor(cert, name)) ? undefined : "the certificate is for other names";
  } catch {
    return "the certificate cannot be read";
  }
}

function isFor(cert: string, name: string): boolean {
  const read = new X509Certificate(cert);
  return (isIP(name) === 0 ? read.checkHost(name, { subject: "never" }) : read.checkIP(name)) !== undefined;
}

const FIELDS = { serving: "tls.crt", servingKey: "tls.key", authorities: "ca.crt", authorityKey: "ca.key" } as const;

/** The content of a Secret, which may be anything; undefined if a field is missing. */
export function readServingSecret(secret: JsonObject): ServingSecret | undefined {
  const data = partOf(secret, "data");
  const [cert, key, authorities, authorityKey] = [
    FIELDS.serving,
    FIELDS.servingKey,
    FIELDS.authorities,
    FIELDS.authorityKey,
  ].map((field) => decoded(own(data, field)));
  if (cert === undefined || key === undefined || authorities === undefined || authorityKey === undefined)
    return undefined;
  return { authorities: certificatesIn(authorities), authorityKey, serving: { cert, key } };
}

/** The data of the Secret. */
export function secretData({ authorities, authorityKey, serving }: ServingSecret): Readonly<Record<string, string>> {
  return {
    [FIELDS.serving]: encoded(serving.cert),
    [FIELDS.servingKey]: encoded(serving.key),
    [FIELDS.authorities]: encoded(authorityBundle(authorities)),
    [FIELDS.authorityKey]: encoded(authorityKey),
  };
}

/** Several certificates as one text. */
export function authorityBundle(authorities: readonly string[]): string {
  return authorities.join("");
}

function certificatesIn(text: string): readonly string[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]*-----END CERTIFICATE-----/g) ?? [];
  return found.slice(0, MAX_AUTHORITIES).map((one) => `${one.replaceAll("\r", "")}\n`);
}

function decoded(value: unknown): string | undefined {
  return typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : undefined;
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64");
}
