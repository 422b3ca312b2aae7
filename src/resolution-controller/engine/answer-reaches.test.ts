import { expect, test } from "vitest";
import { request, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Problem } from "../../model/problem.ts";
import { AnswerReaches } from "./answer-reaches.ts";
import { ProblemDigests } from "./problem-digest.ts";

const catalogs = [stocked({ lamp: { "1.0.0": [] } })];

function problemOf(namespace: string): Problem {
  return scene({ namespace, catalogs, requests: [request("lamp")] });
}

test("of namespaces that come and go nothing is kept", () => {
  const reaches = new AnswerReaches(new ProblemDigests(() => "content"));
  const deck = problemOf("deck");
  const reach = reaches.of(deck);
  for (let number = 0; number < 10; number++) {
    const coming = problemOf(`preview-${number}`);
    reaches.keep(new Map([deck, coming].map((one) => [one.namespace, one])));
    reaches.of(coming);
  }
  expect(reaches.size).toBe(2);
  expect(reaches.of(deck)).toBe(reach);
});
