// Do the recipes name what they mean? Short names are ambiguous on real clusters: Knative has Subscriptions, Cluster API has
// conditions. A file made by a recipe has everything that an answer depends on.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const PAGES = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
].sort();

/** `kubectl VERB RESOURCES`, with the resources one by one. */
function recipesIn(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/kubectl (?:get|patch|wait|delete) ([^\s`]+)/g)].map(([, names = ""]) => names.split(","));
}

/** Kinds of the core group have no longer name; capitals are placeholders. */
const FULL = /^(?:configmaps|[a-z]+(?:\.[a-z0-9-]+){2,}(?:\/.*)?|[A-Z.]+|"\$one"|-o)$/;

test.each(PAGES)("%s has full names of resources", (page) => {
  const short = recipesIn(readFileSync(page, "utf8")).flatMap((names) => names.filter((name) => !FULL.test(name)));
  expect(short).toEqual([]);
});

test.each(["README.md", "docs/commands/resolve.md", "docs/commands/plan.md"])(
  "what %s makes of a cluster has CRDs and the administrator's constraints",
  (page) => {
    const recipes = recipesIn(readFileSync(page, "utf8"));
    const all = recipes.find((names) => names.length > 1 && names.includes("subscriptions.operators.coreos.com"));
    expect(all).toContain("customresourcedefinitions.apiextensions.k8s.io");
    expect(all).toContain("clusterserviceversions.operators.coreos.com");
    expect(recipes).toContainEqual(["configmaps"]);
  },
);
