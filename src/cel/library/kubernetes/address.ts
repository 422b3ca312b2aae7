// Which IP address or range does a text say, and what kind of address is it?

import { whyTooLong } from "../../../semver/version-reason.ts";
import { quoted } from "../../../text/words.ts";
import { opaque, type Type } from "../../type.ts";
import { Boxed, CelError, type Value } from "../../value/value.ts";

export const IP: Type = opaque("net.IP");
export const CIDR: Type = opaque("net.CIDR");

/** An IP address, as a number of 32 or 128 bits. */
export class IpAddress extends Boxed {
  readonly family: 4 | 6;
  readonly bits: bigint;
  constructor(family: 4 | 6, bits: bigint) {
    super();
    this.family = family;
    this.bits = bits;
  }
  get type(): Type {
    return IP;
  }
  equals(other: Value): boolean {
    return other instanceof IpAddress && other.family === this.family && other.bits === this.bits;
  }
  /** Its bytes. */
  override get size(): number {
    return widthOf(this.family) / 8;
  }
  toString(): string {
    return this.family === 4 ? printIPv4(this.bits) : printIPv6(this.bits);
  }
}

/** An address and how many of its first bits are the network. */
export class AddressRange extends Boxed {
  readonly address: IpAddress;
  readonly prefixLength: number;
  constructor(address: IpAddress, prefixLength: number) {
    super();
    this.address = address;
    this.prefixLength = prefixLength;
  }
  get type(): Type {
    return CIDR;
  }
  equals(other: Value): boolean {
    if (!(other instanceof AddressRange)) return false;
    return other.prefixLength === this.prefixLength && other.address.equals(this.address);
  }
  /** The bytes of its network. */
  override get size(): number {
    return Math.ceil(this.prefixLength / 8);
  }
  toString(): string {
    return `${this.address}/${this.prefixLength}`;
  }
}

function widthOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128;
}

/** The address without the bits that are not of the network. */
export function masked({ address, prefixLength }: AddressRange): AddressRange {
  const free = BigInt(widthOf(address.family) - prefixLength);
  return new AddressRange(new IpAddress(address.family, (address.bits >> free) << free), prefixLength);
}

/** Is the address in the range? Addresses of the other family never are. */
export function containsAddress({ address, prefixLength }: AddressRange, other: IpAddress): boolean {
  if (address.family !== other.family) return false;
  const free = BigInt(widthOf(address.family) - prefixLength);
  return address.bits >> free === other.bits >> free;
}

/** Are all addresses of the second range in the first? */
export function containsRange(range: AddressRange, other: AddressRange): boolean {
  return range.prefixLength <= other.prefixLength && containsAddress(range, other.address);
}

/** Is it the unspecified address, 0.0.0.0 or ::? */
export function isUnspecified({ bits }: IpAddress): boolean {
  return bits === 0n;
}

/** Is it in 127.0.0.0/8, or ::1? */
export function isLoopback({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 24n === 127n : bits === 1n;
}

/** Is it in 224.0.0.0/24, or of the scope of a link in ff00::/8? */
export function isLinkLocalMulticast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 8n === 0xe0_00_00n : ((bits >> 112n) & 0xff0fn) === 0xff02n;
}

/** Is it in 169.254.0.0/16 or fe80::/10? */
export function isLinkLocalUnicast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 16n === 0xa9_fen : bits >> 118n === 0x3fan;
}

function isMulticast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 28n === 0xen : bits >> 120n === 0xffn;
}

/** Is it none of the special addresses? Private ones count as global, as in Go. */
export function isGlobalUnicast(address: IpAddress): boolean {
  if (isUnspecified(address) || (address.family === 4 && address.bits === 0xffff_ffffn)) return false;
  return !isLoopback(address) && !isMulticast(address) && !isLinkLocalUnicast(address);
}

function printIPv4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join(".");
}

const GROUP_SHIFTS = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n];

/** The form of RFC 5952: lower case, and the longest run of two or more zero groups, the first of equals, as ::. */
function printIPv6(bits: bigint): string {
  const groups = GROUP_SHIFTS.map((shift) => ((bits >> shift) & 0xffffn).toString(16));
  let start = 0;
  let length = 1;
  for (let from = 0; from < groups.length; from++) {
    let to = from;
    while (groups[to] === "0") to++;
    if (to - from > length) [start, length] = [from, to - from];
  }
  if (length === 1) return groups.join(":");
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
}

/** Nothing longer can be an address; a range has at most four characters more. */
const MAX_LENGTH = 64;

/** The address a text says. IPv6 addresses with a zone and IPv4-mapped ones are refused, as in Kubernetes. */
export function parseAddress(text: string): IpAddress | CelError {
  const tooLong = whyTooLong("IP address", text, MAX_LENGTH);
  if (tooLong !== undefined) return new CelError(tooLong);
  if (text.includes("%")) return new CelError(`the IP address ${quoted(text)} has a zone, which is not allowed`);
  const address = readAddress(text);
  if (address === undefined) return new CelError(`${quoted(text)} is not an IP address`);
  if (address.family === 6 && address.bits >> 32n === 0xffffn) {
    return new CelError(
      `the IPv6 address ${quoted(text)} is an IPv4-mapped address, which is not allowed: write the IPv4 address`,
    );
  }
  return address;
}

/** The address in a text, of either family; zones are not read. */
export function readAddress(text: string): IpAddress | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (text.includes(":")) return parseIPv6(text);
  const bits = readIPv4(text);
  return bits === undefined ? undefined : new IpAddress(4, bits);
}

const OCTETS = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** Four numbers up to 255 without needless zeros. */
function readIPv4(text: string): bigint | undefined {
  let bits = 0n;
  for (const octet of OCTETS.exec(text)?.slice(1) ?? ["none"]) {
    const value = Number(octet);
    if (!(value <= 255) || String(value) !== octet) return undefined;
    bits = (bits << 8n) | BigInt(value);
  }
  return bits;
}

function parseIPv6(text: string): IpAddress | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(readGroups);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  if (tail === undefined) return head.count === 8 ? new IpAddress(6, head.bits) : undefined;
  // An IPv4 address may only be at the end, and :: replaces at least one group.
  if (head.dotted || head.count + tail.count > 7) return undefined;
  return new IpAddress(6, (head.bits << BigInt(16 * (8 - head.count))) | tail.bits);
}

interface Groups {
  readonly bits: bigint;
  readonly count: number;
  /** Did it end with an IPv4 address? */
  readonly dotted: boolean;
}

const HEXADECIMAL = /^[0-9a-fA-F]{1,4}$/;

/** Groups with colons between them, the last two of which may be written as an IPv4 address. */
function readGroups(text: string): Groups | undefined {
  if (text === "") return { bits: 0n, count: 0, dotted: false };
  const groups = text.split(":");
  let bits = 0n;
  for (const [index, group] of groups.entries()) {
    if (HEXADECIMAL.test(group)) {
      bits = (bits << 16n) | BigInt(`0x${group}`);
      continue;
    }
    const dotted = index === groups.length - 1 ? readIPv4(group) : undefined;
    return dotted === undefined ? undefined : { bits: (bits << 32n) | dotted, count: groups.length + 1, dotted: true };
  }
  return { bits, count: groups.length, dotted: false };
}

const PREFIX_LENGTH = /^(?:0|[1-9]\d{0,2})$/;

/** The range a text such as 10.0.0.0/8 says; the address may have bits beyond the network. */
export function parseRange(text: string): AddressRange | CelError {
  const tooLong = whyTooLong("address range", text, MAX_LENGTH);
  if (tooLong !== undefined) return new CelError(tooLong);
  const slash = text.lastIndexOf("/");
  if (slash < 0) return new CelError(`${quoted(text)} is not an address range: write it like 10.0.0.0/8`);
  const address = parseAddress(text.slice(0, slash));
  if (address instanceof CelError) return address;
  const length = text.slice(slash + 1);
  const width = widthOf(address.family);
  if (!PREFIX_LENGTH.test(length) || Number(length) > width) {
    return new CelError(`the address range ${quoted(text)} has no length from 0 to ${width} behind the slash`);
  }
  return new AddressRange(address, Number(length));
}
