// May a server send us to this address? Not to link-local addresses, where clouds hand out credentials, and not from outside to
// this machine.

import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { NetFailure } from "../net/failure.ts";
import { hostOf, isLoopback } from "../net/proxy.ts";
import { quoted } from "../text/words.ts";

const LINK_LOCAL = listOf(
  ["169.254.0.0", 16],
  ["fe80::", 10],
  // IPv4 inside of IPv6: compatible addresses and NAT64. BlockList itself knows mapped ones.
  ["::a9fe:0", 112],
  ["64:ff9b::a9fe:0", 112],
);

/** Metadata services that are elsewhere: AWS by IPv6, Alibaba Cloud, Azure. */
const METADATA = listOf(["fd00:ec2::254", 128], ["100.100.100.200", 32], ["168.63.129.16", 32]);
const METADATA_NAMES = new Set(["metadata", "metadata.google.internal", "metadata.goog", "instance-data"]);

/** The unspecified address leads to this machine, too. */
const THIS_MACHINE = listOf(["127.0.0.0", 8], ["0.0.0.0", 8], ["::", 127], ["::7f00:0", 104], ["64:ff9b::7f00:0", 104]);

function listOf(...subnets: readonly (readonly [address: string, bits: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets) list.addSubnet(address, bits, isIP(address) === 4 ? "ipv4" : "ipv6");
  return list;
}

/** What is wrong with a host or an address; undefined if it is allowed, or a name of which only its addresses say it. */
function faultOf(host: string, mayBeLoopback: boolean): string | undefined {
  const version = isIP(host);
  if (version === 0) {
    const name = host.toLowerCase().replace(/\.$/, "");
    if (METADATA_NAMES.has(name) || /^metadata\..*\.internal$|^instance-data\./.test(name)) return "a metadata service";
    return !mayBeLoopback && /(?:^|\.)localhost$/.test(name) ? "this machine" : undefined;
  }
  const type = version === 4 ? "ipv4" : "ipv6";
  if (LINK_LOCAL.check(host, type)) return "a link-local address";
  if (METADATA.check(host, type)) return "a metadata service";
  return !mayBeLoopback && THIS_MACHINE.check(host, type) ? "this machine" : undefined;
}

/** How a server's wish to go to another host is judged. */
export interface Guard {
  /** The sentence until the reason: `the registry quay.io redirects to "cdn.example"`. */
  readonly wish: string;
  readonly help: string;
  /** May the address be of this machine? Only if the server that wants it is. */
  readonly mayBeLoopback: boolean;
}

/** The guard for what `from` wants. */
export function guardOf(from: URL, wish: string, help: string): Guard {
  return { wish, help, mayBeLoopback: isLoopback(hostOf(from)) };
}

/** Throws if the host itself is forbidden. */
export function requireAllowedHost(url: URL, { wish, help, mayBeLoopback }: Guard): void {
  const fault = faultOf(hostOf(url), mayBeLoopback);
  if (fault !== undefined) throw new NetFailure("malformed", `${wish}, which is ${fault}`, { help });
}

/** Looks names up, and fails if one of the addresses is forbidden: the connection is made to no other. */
export function guardedLookup(guard: Guard, lookup: LookupFunction = systemLookup as LookupFunction): LookupFunction {
  const { wish, help, mayBeLoopback } = guard;
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, "", 0);
      const addresses = typeof found === "string" ? [{ address: found, family: isIP(found) }] : found;
      for (const { address } of addresses) {
        const fault = faultOf(address, mayBeLoopback);
        if (fault === undefined) continue;
        const sentence = `${wish}, whose address ${quoted(address)} is ${isNamed(fault)}`;
        return done(new NetFailure("malformed", sentence, { help }), "", 0);
      }
      if (options.all) return done(null, [...addresses]);
      const [first] = addresses;
      if (first === undefined) return done(noAddress(), "", 0);
      return done(null, first.address, first.family);
    });
  };
}

function isNamed(fault: string): string {
  return fault === "this machine" ? "that of this machine" : fault;
}

function noAddress(): NodeJS.ErrnoException {
  return Object.assign(new Error("no address"), { code: "ENOTFOUND" });
}
