import { expect, test } from "vitest";
import { request } from "../../../test/worlds/scene.ts";
import type { Request } from "../../model/problem.ts";
import { asksForIt } from "./request.ts";

const place = { source: "cluster.yaml", line: 1, column: 1 };

function textOf(more: Partial<Request>): string {
  return asksForIt(request("etcd", { place, channel: "stable", catalog: { name: "hub", namespace: "olm" }, ...more }));
}

test("the origin of a request: you, a Subscription of a person, or a generated one", () => {
  expect(asksForIt(request("etcd"))).toBe("you asked for it");
  expect(textOf({ id: "here/etcd" })).toBe("Subscription here/etcd asks for it");
  const name = "etcd-stable-hub-olm";
  expect(textOf({ name, id: `here/${name}` })).toBe(`the Subscription that OLM made for it (here/${name})`);
  expect(textOf({ name, id: `here/${name}`, catalog: { name: "hub" } })).toMatch(/OLM made/);
});

test.each([
  { name: "etcd-stable-hub-other" },
  { name: "etcd-fast-hub-olm" },
  { name: "etcd-stable-hub-olm", channel: undefined },
  { name: "etcd-stable-hub-olm", catalog: undefined },
])("not made by OLM: %j", (more) => {
  expect(textOf(more)).toBe("Subscription here/etcd asks for it");
});
