import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { bodyOf, constraintsMap, placement, review, UID } from "../../test/webhook/review-body.ts";
import type { Answer, Request, Route } from "../controller/http-server.ts";
import { MAX_REVIEW_BYTES } from "./admission-review.ts";
import { type AskRadius, BlastRadius } from "./blast-radius.ts";
import { type Reviewed, reviewed } from "./review.ts";
import { validateRoute } from "./validate-route.ts";
import { WebhookMetrics } from "./webhook-metrics.ts";

const SETTING = { configMap: { namespace: "olm", name: "olm-runtime-constraints" }, compat: false };

interface BedOptions {
  readonly ask?: AskRadius;
  readonly review?: (body: Uint8Array) => Promise<Reviewed>;
}

function bed({ ask, review: own }: BedOptions = {}) {
  const clock = new ManualClock();
  const metrics = new WebhookMetrics();
  const radius = ask && new BlastRadius(ask, clock, () => undefined);
  const route: Route = validateRoute({
    review: own ?? (async (body) => reviewed(body, SETTING)),
    radius,
    metrics,
    clock,
  });
  const post = async (body: Uint8Array, type: string | undefined = "application/json"): Promise<Answer> => {
    const request: Request = {
      ...{ method: "POST", path: "/validate", query: new URLSearchParams(), body },
      headers: { "content-type": type },
    };
    return route.handle(request);
  };
  const counts = (): readonly string[] =>
    metrics
      .text()
      .split("\n")
      .filter((line) => line.startsWith("plimsoll_webhook_requests_total"))
      .map((line) => line.replace("plimsoll_webhook_requests_total", ""));
  return { clock, metrics, route, post, counts };
}

const response = ({ body }: Answer) => JSON.parse(`${body}`).response;
const good = bodyOf(review({ object: constraintsMap("[]") }));
const bad = bodyOf(review({ object: constraintsMap("{") }));

describe("a review", () => {
  test("is answered, and counted", async () => {
    const { post, counts, route } = bed();
    expect([route.methods, route.maxBody]).toEqual([["POST"], MAX_REVIEW_BYTES]);
    const answer = await post(good);
    expect(answer).toMatchObject({ status: 200, contentType: "application/json" });
    expect(response(answer)).toEqual({ uid: UID, allowed: true });
    expect(response(await post(bad))).toMatchObject({
      uid: UID,
      allowed: false,
      status: { code: 422, reason: "Invalid" },
    });
    await post(bodyOf(review({ kind: "Placement", object: placement({}) })), "application/json; charset=utf-8");
    await post(bodyOf(review({ more: { kind: { group: "", kind: "Secret" } } })));
    expect(counts()).toEqual([
      '{kind="ConfigMap",result="allowed"} 1',
      '{kind="ConfigMap",result="denied"} 1',
      '{kind="Placement",result="allowed"} 1',
      '{kind="other",result="allowed"} 1',
    ]);
  });

  test("of a change has the blast radius as its first warning", async () => {
    const { post } = bed({
      ask: async (proposed) => (proposed === undefined ? "frees 3 operators" : "hides 412 bundles"),
    });
    const rule = 'properties.exists(p, p.typ == "a")';
    const doubtful = JSON.stringify([{ type: "olm.constraint", value: { cel: { rule } } }]);
    const { allowed, warnings } = response(await post(bodyOf(review({ object: constraintsMap(doubtful) }))));
    expect([allowed, warnings]).toEqual([true, ["hides 412 bundles", expect.stringContaining("no field `typ`")]]);
    const deletion = review({ operation: "DELETE", oldObject: constraintsMap("[]") });
    expect(response(await post(bodyOf(deletion)))).toEqual({
      uid: UID,
      allowed: true,
      warnings: ["frees 3 operators"],
    });
  });

  test("that is denied, or changes nothing, is not asked about", async () => {
    const { post } = bed({ ask: async () => "hides 412 bundles" });
    expect(response(await post(bad)).warnings).toBeUndefined();
    const same = { operation: "UPDATE", object: constraintsMap("[]", { labels: {} }), oldObject: constraintsMap("[]") };
    expect(response(await post(bodyOf(review(same))))).toEqual({ uid: UID, allowed: true });
  });

  test("does not wait for the blast radius for more than two seconds", async () => {
    const { post, clock, metrics } = bed({ ask: () => new Promise(() => undefined) });
    const answer = post(good);
    await clock.pass(2000);
    expect(response(await answer)).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining("not known yet")],
    });
    expect(metrics.text()).toContain("plimsoll_webhook_seconds_sum 2\n");
  });

  test("that took long leaves the blast radius less time: the API server waits for three seconds in all", async () => {
    const clock: { current?: ManualClock } = {};
    const slow = async (body: Uint8Array): Promise<Reviewed> => {
      await new Promise<void>((done) => clock.current?.after(1900, done));
      return reviewed(body, SETTING);
    };
    const { post, clock: time } = bed({ ask: () => new Promise(() => undefined), review: slow });
    clock.current = time;
    const answer = post(good);
    await time.pass(2700);
    expect(response(await answer)).toMatchObject({ warnings: [expect.stringContaining("not known yet")] });
  });
});

describe("an error", () => {
  test.each<readonly [string, Uint8Array, string | undefined, number]>([
    ["no JSON", new TextEncoder().encode("x"), "application/json", 400],
    ["another type", good, "application/yaml", 415],
    ["a similar type", good, "application/json-patch+json", 415],
    ["too much", new Uint8Array(MAX_REVIEW_BYTES + 1), "application/json", 413],
  ])("%s", async (_, body, type, status) => {
    const { post, counts } = bed();
    expect(await post(body, type)).toMatchObject({ status, contentType: expect.stringContaining("text/plain") });
    expect(counts()).toEqual(['{kind="other",result="error"} 1']);
  });

  test("of the review itself is counted, and the server answers with 500", async () => {
    const { post, counts } = bed({ review: () => Promise.reject(new Error("the thread is gone")) });
    await expect(post(good)).rejects.toThrow("the thread is gone");
    expect(counts()).toEqual(['{kind="other",result="error"} 1']);
  });
});

test("all metrics are there from the beginning", () => {
  const { metrics } = bed();
  metrics.present(1_772_366_400_999);
  expect(metrics.text()).toContain("plimsoll_webhook_certificate_expiry_seconds 1772366400\n");
  expect(metrics.text()).toMatch(/^plimsoll_webhook_seconds_count 0$/m);
  expect(metrics.text()).toContain("# TYPE plimsoll_webhook_requests_total counter");
});
