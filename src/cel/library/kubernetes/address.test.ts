import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call } from "../../../../test/differential/cel-kubernetes/call.ts";
import { CelError } from "../../value/value.ts";
import {
  AddressRange,
  containsAddress,
  containsRange,
  IpAddress,
  masked,
  parseAddress,
  parseRange,
} from "./address.ts";
import { cidrLibrary } from "./cidr.ts";
import { ipLibrary } from "./ip.ts";

// Hundreds of texts are checked against Kubernetes in test/differential/cel-network.test.ts.

const addresses = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((bits) => new IpAddress(4, bits)),
  fc
    .bigInt({ min: 0n, max: 2n ** 128n - 1n })
    .filter((bits) => bits >> 32n !== 0xffffn)
    .map((bits) => new IpAddress(6, bits)),
);
const ranges = fc
  .tuple(addresses, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([address, part]) => new AddressRange(address, Math.round(part * (address.family === 4 ? 32 : 128))));

describe("addresses and ranges", () => {
  test("what is printed reads back", () => {
    fc.assert(
      fc.property(ranges, (range) => {
        expect(parseRange(String(range))).toEqual(range);
        expect(parseAddress(String(range.address))).toEqual(range.address);
      }),
    );
  });

  test("a range contains its own address, its masked self, and nothing of the other family", () => {
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        expect(containsAddress(a, a.address)).toBe(true);
        expect(containsRange(a, masked(a)) && containsRange(masked(a), a)).toBe(true);
        expect(masked(masked(a))).toEqual(masked(a));
        if (containsRange(a, b) && containsRange(b, a)) expect(masked(a).equals(masked(b))).toBe(true);
        if (a.address.family !== b.address.family) expect(containsAddress(a, b.address)).toBe(false);
      }),
    );
  });

  test.for([
    ["1.2.3.256", '"1.2.3.256" is not an IP address'],
    ["fe80::1%eth0", 'the IP address "fe80::1%eth0" has a zone, which is not allowed'],
    [
      "::ffff:1.2.3.4",
      'the IPv6 address "::ffff:1.2.3.4" is an IPv4-mapped address, which is not allowed: write the IPv4 address',
    ],
    [":".repeat(1000), "the IP address has 1000 characters: at most 64 are read"],
  ] as const)("%s is refused", ([text, message]) => {
    expect(parseAddress(text)).toEqual(new CelError(message));
    expect(call(ipLibrary, "is_ip", text)).toBe(false);
  });

  test("a range that is none is refused", () => {
    expect(parseRange("10.0.0.0")).toEqual(
      new CelError('"10.0.0.0" is not an address range: write it like 10.0.0.0/8'),
    );
    expect(parseRange("10.0.0.0/33")).toEqual(
      new CelError('the address range "10.0.0.0/33" has no length from 0 to 32 behind the slash'),
    );
    expect(call(cidrLibrary, "cidr_contains_ip_string", parseRange("::/0"), "none")).toBeInstanceOf(CelError);
  });

  test("the types have names", () => {
    expect(ipLibrary.constants?.map(({ name }) => name)).toEqual(["net.IP"]);
    expect(cidrLibrary.constants?.map(({ name }) => name)).toEqual(["net.CIDR"]);
  });
});
