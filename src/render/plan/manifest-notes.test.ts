import { describe, expect, test } from "vitest";
import { action, change, generationsOf, plan, shownPlans, step } from "../../../test/plan/sample-plan.ts";
import type { BundleRef, Plan, Step } from "../../plan/plan.ts";
import { manifestNotes } from "./manifest-notes.ts";

function notes(output: string, ...plans: readonly Plan[]): readonly string[] {
  return manifestNotes(shownPlans(plans), output);
}

type Origin = Pick<BundleRef, "catalog" | "sourceNamespace">;

const HARBOUR: Origin = { catalog: { name: "harbour" } };

/** A plan of one step, from a catalog. */
function one(origin: Origin, does: Partial<Step>, more: Partial<Plan> = {}): Plan {
  const { to, ...rest } = change("winch 1.0.0", "winch 2.0.0");
  const moved = { ...rest, ...(to !== undefined && { to: { ...to, ...origin } }) };
  return plan(generationsOf(new Map([[2, step([moved], does)]])), more);
}

const SUBSCRIPTION = {
  actions: [
    action(
      "create",
      { kind: "subscription", package: "winch", channel: "stable", source: "harbour" },
      { kind: "Subscription" },
    ),
  ],
};
const GUESS =
  "nothing says in which namespace the CatalogSource harbour is, so that sourceNamespace bridge is a guess; say it with --catalog NAMESPACE/harbour=PATH";

describe("what manifests do not contain", () => {
  const known = { ...HARBOUR, sourceNamespace: "olm" };
  const migration = { migrations: [action("patch", { kind: "stored-versions", versions: ["v1"] })] };

  test("something is done by hand before an InstallPlan", () => {
    const before = "something has to be done by hand: see its annotation plimsoll.dev/before";
    const bridge = one(known, migration);
    expect(notes("installplan", bridge)).toEqual([`before install-g2-1 ${before}`]);
    const quay = one(known, {}, { namespace: "quay" });
    expect(notes("installplan", bridge, quay)).toEqual([`before bridge/install-g2-1 ${before}`]);
    expect(notes("subscriptions", bridge)).toEqual([]);
  });

  test("the namespace of a catalog is a guess if neither it nor a Subscription has one", () => {
    expect(notes("subscriptions", one(HARBOUR, SUBSCRIPTION))).toEqual([GUESS]);
    expect(notes("subscriptions", one(known, SUBSCRIPTION))).toEqual([]);
  });

  test("formats and steps without such a manifest have no note", () => {
    expect(notes("subscriptions", one(HARBOUR, {}))).toEqual([]);
    expect(notes("installplan", one(HARBOUR, {}))).toEqual([GUESS]);
    for (const form of ["text", "name", "svg", "json"])
      expect(notes(form, one(HARBOUR, { ...SUBSCRIPTION, ...migration }))).toEqual([]);
  });

  test("names are safe for a terminal", () => {
    const bad = { catalog: { name: "\u001b[2J" } };
    const other = one(known, {}, { namespace: "quay" });
    const lines = notes("installplan", one(bad, migration, { namespace: "\u001b[2J" }), other);
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain("\u001b");
  });
});
