import { expect, test } from "vitest";
import { overloadOf } from "../../../../test/cel/call-overload.ts";
import { call } from "../../../../test/differential/cel-kubernetes/call.ts";
import { CelError } from "../../value/value.ts";
import { parseAddress, parseRange } from "../kubernetes/address.ts";
import { cidrLibrary } from "../kubernetes/cidr.ts";
import { ipLibrary } from "../kubernetes/ip.ts";
import { networkLibrary } from "./network.ts";

test("it is the libraries of Kubernetes and one function more", () => {
  const kubernetes = [ipLibrary, cidrLibrary].flatMap(({ functions = [] }) => functions.map(({ id }) => id));
  expect(networkLibrary.functions?.map(({ id }) => id).sort()).toEqual([...kubernetes, "cidr_is_mask"].sort());
});

test("is the address that of the network?", () => {
  expect(call(networkLibrary, "cidr_is_mask", parseRange("192.168.1.0/24"))).toBe(true);
  expect(call(networkLibrary, "cidr_is_mask", parseRange("192.168.1.5/24"))).toBe(false);
});

test("a literal that is no address is a mistake here, and an error when evaluated in Kubernetes", () => {
  const here = overloadOf(networkLibrary, "string_to_ip").prepare?.specialise("bad");
  expect(here).toEqual({ mistake: '"bad" is not an IP address' });
  const there = overloadOf(ipLibrary, "string_to_ip").prepare?.specialise("bad");
  expect(typeof there === "function" && there()).toEqual(new CelError('"bad" is not an IP address'));
  const good = overloadOf(networkLibrary, "string_to_ip").prepare?.specialise("::1");
  expect(typeof good === "function" && good()).toEqual(parseAddress("::1"));
});
