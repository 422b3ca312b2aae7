// Which references are refused before anything is asked? Those with credentials, which messages would print.

import { expect, test } from "vitest";
import { readCatalogReference } from "./catalog-reference.ts";

test.for([
  "https://keeper:lamp-oil@catalogd.example.com/catalogs/harbour",
  "oci://keeper:lamp-oil@quay.io/harbour/catalog:v1",
  "docker://keeper@quay.io/harbour/catalog",
])("%s is refused without its password", (text) => {
  expect(readCatalogReference(text)).toMatch(/^it has a user name before the host; (?!.*lamp-oil)/);
});

test.for([
  "oci://quay.io/harbour/catalog@sha256:6a535e3879fa4510d9220b7f6e159b0ab557e213672c865739d62c84d4993c85",
  "https://catalogd.example.com/catalogs/keeper@harbour",
])("an @ elsewhere is no user name: %s", (text) => {
  expect(readCatalogReference(text)).toMatchObject({ path: text });
});
