// Which values may the flags about sources have?

import { Command } from "commander";
import { expect, test } from "vitest";
import { type SourceFlags, withSourceOptions } from "./options.ts";

function parse(value: string): SourceFlags {
  const command = withSourceOptions(new Command("show"))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse(["--insecure-registry", value], { from: "user" }).opts();
}

test.for(["registry.example.com", "REGISTRY.example:5000", "10.0.0.1:5000", "[::1]:5000", "my_registry", "localhost"])(
  "%s is a host",
  (text) => {
    expect(parse(text).insecureRegistry).toEqual([text]);
  },
);

test.for([
  ["http://registry.example.com:5000", "write registry.example.com:5000."],
  ["oci://registry.example.com/harbour/catalog:v1", "write registry.example.com."],
  ["registry.example.com/harbour", "write registry.example.com."],
  [" registry.example.com ", "write registry.example.com."],
  ["", "write HOST[:PORT]."],
  [" ", "write HOST[:PORT]."],
  ["two words", "write HOST[:PORT]."],
  ["keeper@registry.example.com", "write HOST[:PORT]."],
  ["registry.example.com:port", "It must be a host with a port from 1 to 65535: write HOST[:PORT]."],
  ["registry.example.com:99999", "It must be a host with a port from 1 to 65535: write HOST[:PORT]."],
  ["http://registry.example.com:0/", "It must be a host with a port from 1 to 65535: write HOST[:PORT]."],
  ["10.0.0.0/8", "It must be one host, and not a network: write HOST[:PORT]."],
  ["fd00::/8", "It must be one host, and not a network: write HOST[:PORT]."],
  ["https://lamp-oil/keeper@registry.example.com", "write HOST[:PORT]."],
  ["a.example,b.example", "write HOST[:PORT]."],
])("%s is not a host", ([text, hint]) => {
  expect(() => parse(text as string)).toThrow(hint);
});
