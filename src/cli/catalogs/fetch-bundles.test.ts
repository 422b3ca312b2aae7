// Are all manifests fetched that an answer needs, and is it said which are not?

import { expect, test } from "vitest";
import { packageDocuments } from "../../../test/remote/sandbox.ts";
import { MANIFEST } from "../../constraint/manifests.ts";
import { CatalogBuilder } from "../../input/catalog/catalog-builder.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import type { Catalog } from "../../model/catalog.ts";
import { InputFiles } from "../../source/input-files.ts";
import { EXIT } from "../exit-code.ts";
import type { Question } from "../question/load.ts";
import { type Chosen, completedQuestion } from "./fetch-bundles.ts";

const NAMES = ["anchor", "buoy", "crane", "davit", "winch"];
const CHOSEN: readonly Chosen[] = NAMES.map((name) => ({ package: name, name: `${name}.v1.0.0` }));
const MANIFESTS = { properties: [{ type: MANIFEST, value: {} }] };

function questionAbout(catalogs: readonly Catalog[]): Question {
  const files = new InputFiles(DEFAULT_LIMITS);
  return {
    ...{ problems: [], warnings: [], findings: [], codes: [], files },
    again: { catalogs, withCatalogs: questionAbout },
  };
}

function catalog(): Catalog {
  const builder = new CatalogBuilder({ name: "hub", priority: 0 });
  for (const [line, document] of NAMES.flatMap((name) => packageDocuments(name)).entries())
    builder.add(document, { source: "hub.json", line, column: 1 });
  return builder.finishFrom("hub.json");
}

/** Which images are fetched, in each turn, and what is said. */
async function fetching(maxBundles: number, choose = () => CHOSEN) {
  const turns: (readonly string[])[] = [];
  const { findings, codes } = await completedQuestion(
    questionAbout([catalog()]),
    choose,
    async (images) => {
      turns.push(images.map((image) => image.replace(/^.*\/|:.*$/g, "")));
      return images.map(() => MANIFESTS);
    },
    maxBundles,
  );
  return { turns, codes, messages: findings.map(({ code, message }) => `${code} ${message}`) };
}

test("each bundle of the answer once", async () => {
  expect(await fetching(5)).toEqual({ turns: [NAMES], codes: [], messages: [] });
});

test("no more than the limit, and the rest is said", async () => {
  expect(await fetching(3)).toEqual({
    turns: [NAMES.slice(0, 3)],
    codes: [EXIT.undecided],
    messages: [
      "PL017 the manifests of davit.v1.0.0, winch.v1.0.0 were not fetched, so changes of CRDs are not checked: those of 3 bundles were fetched, which is the limit",
    ],
  });
});

test("the limit counts all turns", async () => {
  let turn = 0;
  const { turns, codes } = await fetching(2, () => CHOSEN.slice(0, ++turn));
  expect(turns).toEqual([["anchor"], ["buoy"]]);
  expect(codes).toEqual([EXIT.undecided]);
});
