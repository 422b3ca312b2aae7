import { mkdirSync, readFileSync, writeFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export default function make(directory) {
  const at = (...names) => join(directory, ...names);
  writeFileSync(at("old.yaml.gz"), gzipSync(readFileSync(at("old.yaml"))));
  mkdirSync(at("nothing"));
  // A broken file beside good ones, with nothing missing on the other side: and with.
  mkdirSync(at("beside"));
  copyFileSync(at("new.yaml"), at("beside", "new.yaml"));
  copyFileSync(at("broken.yaml"), at("beside", "broken.yaml"));
  mkdirSync(at("many", "deep", "deeper"), { recursive: true });
  copyFileSync(at("old.yaml"), at("many", "winch.yaml"));
  copyFileSync(at("other.yaml"), at("many", "deep", "deeper", "crane.yaml"));
}
