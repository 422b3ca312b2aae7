/** Are IP addresses and their ranges those of Kubernetes? */
import { expect, test } from "vitest";
import { networkLibrary } from "../../src/cel/library/extension/network.ts";
import { cidrLibrary } from "../../src/cel/library/kubernetes/cidr.ts";
import { ipLibrary } from "../../src/cel/library/kubernetes/ip.ts";
import type { Result, Value } from "../../src/cel/value/value.ts";
import { call, expectRows, kubernetesCost, plain } from "./cel-kubernetes/call.ts";
import { readTable, type Table } from "./table.ts";

const askIp = (id: string, ...args: readonly Result[]): Result => call(ipLibrary, id, ...args);
const askCidr = (id: string, ...args: readonly Result[]): Result => call(cidrLibrary, id, ...args);

const FLAGS = ["unspecified", "loopback", "link_local_multicast", "link_local_unicast", "global_unicast"];

function ipAnswer({ text }: { readonly text: string }): unknown {
  const isIP = askIp("is_ip", text);
  const costs = ["string_to_ip", "is_ip", "ip_is_canonical"].map((id) => kubernetesCost(ipLibrary, id, text));
  const value = askIp("string_to_ip", text);
  expect(plain(value) !== null).toBe(isIP);
  expect(plain(askIp("ip_is_canonical", text)) !== null).toBe(isIP);
  if (isIP !== true) return { text, isIP, costs };
  return {
    text,
    isIP,
    costs,
    string: askIp("ip_to_string", value),
    canonical: askIp("ip_is_canonical", text),
    family: plain(askIp("ip_family", value)),
    flags: FLAGS.map((flag) => askIp(`ip_is_${flag}`, value)),
  };
}

test("addresses", () => {
  expectRows(readTable<Table<{ readonly text: string }>>("cel-ip.json").rows, ipAnswer);
});

type Row =
  | { readonly kind: "cidr"; readonly text: string }
  | { readonly kind: "containsIP"; readonly cidr: string; readonly ip: string }
  | { readonly kind: "containsCIDR"; readonly cidr: string; readonly other: string };

function cidrAnswer(row: Row): unknown {
  const { kind } = row;
  if (kind === "cidr") {
    const { text } = row;
    const isCIDR = askCidr("is_cidr", text);
    const value = askCidr("string_to_cidr", text);
    expect(plain(value) !== null).toBe(isCIDR);
    const cost = kubernetesCost(cidrLibrary, "string_to_cidr", text);
    if (isCIDR !== true) return { kind, text, isCIDR, cost };
    return {
      kind,
      text,
      isCIDR,
      cost,
      string: askCidr("cidr_to_string", value),
      ip: plain(askCidr("cidr_ip", value)),
      prefixLength: plain(askCidr("cidr_prefix_length", value)),
      masked: plain(askCidr("cidr_masked", value)),
      isMask: call(networkLibrary, "cidr_is_mask", value),
    };
  }
  const range = askCidr("string_to_cidr", row.cidr) as Value;
  const [text, value, ids] =
    kind === "containsIP"
      ? [row.ip, askIp("string_to_ip", row.ip), ["cidr_contains_ip_string", "cidr_contains_ip_ip"]]
      : [row.other, askCidr("string_to_cidr", row.other), ["cidr_contains_cidr_string", "cidr_contains_cidr"]];
  const costs = [kubernetesCost(cidrLibrary, ids[0] as string, range, text)];
  // What is compared with does not count when it is no text, so a row has a cost for texts that are no address, too.
  costs.push(kubernetesCost(cidrLibrary, ids[1] as string, range, range));
  const byText = plain(askCidr(ids[0] as string, range, text));
  return { ...row, byText, byValue: plain(askCidr(ids[1] as string, range, value)), costs };
}

test("ranges", () => {
  expectRows(readTable<Table<Row>>("cel-cidr.json").rows, cidrAnswer);
});
