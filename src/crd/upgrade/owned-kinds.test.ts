import { expect, test } from "vitest";
import { inWords } from "../../../test/crd/in-words.ts";
import { definition, GROUP, KIND } from "../../../test/crd/winches.ts";
import { checkOwned, type OwnedApi } from "./owned-kinds.ts";

const PLACE = { source: "csv.yaml", line: 1, column: 1 };
const DEFINED = definition({ versions: { v1: "served storage" } });

function api(kind: string, version: string, by = "winch.v1.0.0"): OwnedApi {
  return { group: GROUP, kind, version, by, crd: `${kind.toLowerCase()}s.${GROUP}`, place: PLACE };
}

test("a kind without a definition is reported, once for each version", () => {
  const owned = [api("Crane", "v2"), api("Crane", "v1"), api("Crane", "v1"), api(KIND, "v9")];
  expect(checkOwned(owned, [DEFINED], new Map()).map(inWords)).toEqual(
    ["v1", "v2"].map((version) => ({
      code: "CRD003",
      severity: "error",
      crd: `cranes.${GROUP}`,
      version,
      path: "",
      detail: { by: "winch.v1.0.0", kind: "Crane", crd: `cranes.${GROUP}` },
      message: `winch.v1.0.0 owns Crane ${version}, but its bundle has no definition of Crane`,
      help: `put cranes.${GROUP} into the bundle, or take Crane out of the owned kinds of the ClusterServiceVersion`,
      place: PLACE,
    })),
  );
});

test("a kind of another group is a different kind", () => {
  const [finding] = checkOwned([{ ...api(KIND, "v1"), group: "other.example.com" }], [DEFINED], new Map());
  expect(finding?.code).toBe("CRD003");
  expect(checkOwned([api(KIND, "v1")], [DEFINED], new Map())).toEqual([]);
});

test("the severity can be changed by settings", () => {
  expect(checkOwned([api("Crane", "v1")], [], new Map([["CRD003", "off"]]))).toEqual([]);
  expect(checkOwned([api("Crane", "v1")], [], new Map([["CRD003", "info"]]))[0]?.severity).toBe("info");
});
