import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { makeAuthority, makeServerCertificate } from "./certificate.ts";
import { readServingSecret, renewed, type ServingSecret, secretData, validityOf } from "./serving-secret.ts";

const NOW = Date.UTC(2026, 2, 1, 12);
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NAMES = ["plimsoll-webhook.home.svc", "127.0.0.1"];

const fresh = renewed(undefined, NAMES, NOW).secret;

function isSignedBy(cert: string, authority: string | undefined): boolean {
  return authority !== undefined && new X509Certificate(cert).verify(new X509Certificate(authority).publicKey);
}

describe("a new Secret", () => {
  test("has an authority for two years and a certificate for ninety days, both valid an hour before", () => {
    expect(fresh.authorities).toHaveLength(1);
    expect(isSignedBy(fresh.serving.cert, fresh.authorities[0])).toBe(true);
    expect(validityOf(fresh.authorities[0] as string)).toEqual({ from: NOW - HOUR, to: NOW + 730 * DAY });
    expect(validityOf(fresh.serving.cert)).toEqual({ from: NOW - HOUR, to: NOW + 90 * DAY });
  });

  test("is good for two thirds of the life of its certificate", () => {
    const due = wornOutAt(fresh.serving.cert);
    for (const now of [NOW - HOUR, NOW, NOW + HOUR, due - 1])
      expect(renewed(fresh, NAMES, now)).toEqual({ secret: fresh, why: "", isUsable: true });
    const { secret, why } = renewed(fresh, NAMES, due);
    expect(why).toBe("the certificate has two thirds of its life behind it");
    expect(secret.authorities).toEqual(fresh.authorities);
    expect(secret.authorityKey).toBe(fresh.authorityKey);
    expect(secret.serving).not.toEqual(fresh.serving);
    expect(isSignedBy(secret.serving.cert, fresh.authorities[0])).toBe(true);
  });
});

describe("a certificate that cannot be shown is renewed at once", () => {
  const other = renewed(undefined, NAMES, NOW).secret;
  test.each<readonly [string, ServingSecret, number]>([
    ["the certificate is not valid now", fresh, NOW + 91 * DAY],
    ["the certificate is not valid now", fresh, NOW - 2 * HOUR],
    ["the certificate is for other names", renewed(undefined, NAMES.slice(1), NOW).secret, NOW],
    [
      "the certificate and its key do not belong together",
      { ...fresh, serving: { ...fresh.serving, key: other.serving.key } },
      NOW,
    ],
    [
      "the certificate and its key do not belong together",
      { ...fresh, serving: { ...fresh.serving, key: "no key" } },
      NOW,
    ],
    [
      "the certificate and its key do not belong together",
      { ...fresh, serving: { cert: "no certificate", key: "" } },
      NOW,
    ],
    ["the certificate is signed by another authority", { ...fresh, serving: other.serving }, NOW],
  ])("%s", (why, known, now) => {
    const next = renewed(known, NAMES, now);
    expect(next).toMatchObject({ why, isUsable: false });
    expect(next.secret.authorities.some((authority) => isSignedBy(next.secret.serving.cert, authority))).toBe(true);
    expect(renewed(next.secret, NAMES, now)).toEqual({ secret: next.secret, why: "", isUsable: true });
  });

  test("by the same authority, if that is good", () => {
    const { secret } = renewed({ ...fresh, serving: { cert: "", key: "" } }, NAMES, NOW);
    expect(secret.authorities).toEqual(fresh.authorities);
  });

  test("an authority that is not ours is not used and not announced", () => {
    const foreign = makeServerCertificate(makeAuthority({ from: NOW, to: NOW + DAY }), NAMES, {
      from: NOW,
      to: NOW + DAY,
    });
    const { secret } = renewed({ ...fresh, authorities: [foreign.cert], authorityKey: foreign.key }, NAMES, NOW);
    expect(secret.authorities).toHaveLength(1);
    expect(secret.authorities).not.toContain(foreign.cert);
    expect(isSignedBy(secret.serving.cert, secret.authorities[0])).toBe(true);
  });
});

test("an authority whose key is lost stays announced while its certificate is shown", () => {
  const { secret, why, isUsable } = renewed({ ...fresh, authorityKey: "lost" }, NAMES, NOW);
  expect([why, isUsable]).toEqual(["the authority cannot sign", true]);
  expect(secret.authorities).toEqual([expect.any(String), fresh.authorities[0]]);
  expect(secret.serving).toEqual(fresh.serving);
});

test("for five years no client meets a certificate whose authority was not announced an hour before", () => {
  // A replica or an API server that is slow knows the Secret as it was up to an hour ago.
  const history: { readonly since: number; readonly secret: ServingSecret }[] = [{ since: NOW, secret: fresh }];
  const authorities = new Set(fresh.authorities);
  let certificates = 1;
  let now = NOW;
  while (now < NOW + 1825 * DAY) {
    const { secret: last, since } = history.at(-1) as (typeof history)[number];
    // For three hours after a change it is looked at every half hour, then when something may be due.
    const due = [last.serving.cert, last.authorities[0] as string].map(wornOutAt).filter((time) => time > now);
    now = now < since + 3 * HOUR ? now + 30 * 60 * 1000 : Math.min(...due);
    const { secret, why, isUsable } = renewed(last, NAMES, now);
    expect(isUsable).toBe(true);
    if (why === "") continue;
    history.push({ since: now, secret });
    if (secret.serving !== last.serving) certificates++;
    for (const authority of secret.authorities) authorities.add(authority);
    const recent = history.filter(
      ({ since }, at) => now - since <= HOUR || (history[at + 1]?.since ?? now) > now - HOUR,
    );
    for (const shown of recent)
      for (const announced of recent)
        expect(
          announced.secret.authorities.some((one) => isSignedBy(shown.secret.serving.cert, one)),
          `${shown.since} ${announced.since}`,
        ).toBe(true);
  }
  // Every sixty days, every sixteen months.
  expect(certificates).toBeGreaterThan(29);
  expect(authorities.size).toBe(4);
  expect(Math.max(...history.map(({ secret }) => secret.authorities.length))).toBe(2);
  expect(history.at(-1)?.secret.authorities.length).toBeLessThanOrEqual(2);
});

/** When two thirds of its life are over. */
function wornOutAt(cert: string): number {
  const { from, to } = validityOf(cert);
  return from + ((to - from) * 2) / 3;
}

test("if both are due, the authority comes first, and signs when it is known", () => {
  const due = wornOutAt(fresh.authorities[0] as string);
  const issuer = { cert: fresh.authorities[0] as string, key: fresh.authorityKey };
  const serving = makeServerCertificate(issuer, NAMES, { from: due - 61 * DAY, to: due + 29 * DAY });
  const first = renewed({ ...fresh, serving }, NAMES, due);
  expect(first).toMatchObject({ why: "the authority has two thirds of its life behind it", secret: { serving } });
  expect(first.secret.authorities).toEqual([expect.any(String), issuer.cert]);
  expect(renewed(first.secret, NAMES, due + HOUR - 1).why).toBe("");
  const second = renewed(first.secret, NAMES, due + HOUR);
  expect(second.why).toBe("the certificate has two thirds of its life behind it");
  expect(second.secret.authorities).toEqual(first.secret.authorities);
  expect(isSignedBy(second.secret.serving.cert, first.secret.authorities[0])).toBe(true);
  expect(renewed(second.secret, NAMES, due + 2 * HOUR - 1).why).toBe("");
  const third = renewed(second.secret, NAMES, due + 2 * HOUR);
  expect(third).toMatchObject({
    why: "an old authority is not needed any more",
    secret: { serving: second.secret.serving },
  });
  expect(third.secret.authorities).toEqual(first.secret.authorities.slice(0, 1));
  expect(renewed(third.secret, NAMES, due + 3 * HOUR).why).toBe("");
});

describe("as data of a Secret", () => {
  const rotated = {
    ...fresh,
    authorities: [...renewed(undefined, NAMES, NOW).secret.authorities, ...fresh.authorities],
  };

  test("it is read as it was written", () => {
    for (const secret of [fresh, rotated]) expect(readServingSecret({ data: secretData(secret) })).toEqual(secret);
  });

  test("it has the fields of kubernetes.io/tls, and those that a rotation needs", () => {
    expect(Object.keys(secretData(fresh))).toEqual(["tls.crt", "tls.key", "ca.crt", "ca.key"]);
  });

  test("without one of the fields, or with another type, there is nothing", () => {
    for (const field of Object.keys(secretData(fresh)))
      for (const value of [undefined, null, 7, {}, []]) {
        const data = { ...secretData(fresh), [field]: value } as never;
        expect(readServingSecret({ data }), field).toBeUndefined();
      }
    for (const data of [null, [], "text", {}]) expect(readServingSecret({ data })).toBeUndefined();
    expect(readServingSecret({})).toBeUndefined();
  });

  test("no more than four authorities are read", () => {
    const authorities = Array.from({ length: 9 }, () => fresh.authorities[0] as string);
    expect(readServingSecret({ data: secretData({ ...fresh, authorities }) })?.authorities).toHaveLength(4);
  });
});
