// Which references are refused before anything is asked, and what is a reference without a scheme? Those with credentials, which
// messages would print, and addresses of web pages are refused.

import { expect, test } from "vitest";
import { locationOf, meantReference, readCatalogReference } from "./catalog-reference.ts";

test.for([
  "https://keeper:lamp-oil@catalogd.example.com/catalogs/harbour",
  "oci://keeper:lamp-oil@quay.io/harbour/catalog:v1",
  "docker://keeper@quay.io/harbour/catalog",
  "docker://keeper:lamp-oil@quay.io",
  "https://keeper:lamp-oil@catalogd.example.com",
  "https://keeper:lamp/lamp-oil@catalogd.example.com/catalogs/harbour",
])("%s is refused without its password", (text) => {
  expect(readCatalogReference(text)).toMatch(/^it has a user name before the host; (?!.*lamp-oil)/);
});

test.for([
  ["docker://keeper:lamp-oil@quay.io", "credentials are not part of a reference: log in with podman login HOST"],
  [
    "https://keeper:lamp-oil@host/x",
    "credentials are not part of a reference, and a catalogd takes none: remove what is before the @",
  ],
])("%s: what to do", ([text, help]) => {
  expect(readCatalogReference(text as string)).toBe(`it has a user name before the host; ${help}`);
});

test.for([
  "oci://quay.io/harbour/catalog@sha256:6a535e3879fa4510d9220b7f6e159b0ab557e213672c865739d62c84d4993c85",
  "https://catalogd.example.com/catalogs/keeper%40harbour",
])("no user name: %s", (text) => {
  expect(readCatalogReference(text)).toMatchObject({ path: text });
});

test.for([
  "https://catalogd.example.com/catalogs/keeper@harbour",
  "https://keeper:8/lamp-oil@catalogd.example.com/x",
  "https://catalogd.example.com/catalogs/harbour?token=lamp@oil",
])("an @ that may be behind a password: %s", (text) => {
  expect(readCatalogReference(text)).toBe("it has an @ behind the host; write %40 for it");
});

test.for([
  [
    "https://quay.io/repository/harbour/catalog:v1",
    "this is the address of a web page; the image is oci://quay.io/harbour/catalog:v1",
  ],
  [
    "oci://https://hub.docker.com/_/busybox",
    "this is the address of a web page; the image is oci://docker.io/library/busybox",
  ],
  [
    "oci://quay.io/repository/harbour/catalog",
    "this is the address of a web page; the image is oci://quay.io/harbour/catalog",
  ],
  ["https://hub.docker.com/u/harbour", "this is the address of a web page; write oci://REGISTRY/REPOSITORY:TAG"],
  [
    "oci://https://quay.io/harbour/catalog",
    "an image has no https:// before its name; write oci://quay.io/harbour/catalog",
  ],
  ["oci://quay.io/harbour/catalog?token=lamp-oil", "the name of an image has no ?; remove it, and what follows it"],
  [
    "oci:https://keeper:lamp-oil@quay.io/x",
    "a layout is a directory, and not a URL; an image of a registry is oci://REGISTRY/REPOSITORY:TAG",
  ],
  [
    "docker-archive:https://quay.io/x.tar",
    "an archive is a file, and not a URL; an image of a registry is oci://REGISTRY/REPOSITORY:TAG",
  ],
])("%s is refused", ([text, fault]) => {
  expect(readCatalogReference(text as string)).toBe(fault);
});

test.for([
  ["quay.io/repository/harbour/catalog?tab=tags", "oci://quay.io/harbour/catalog"],
  ["hub.docker.com/_/busybox", "oci://docker.io/library/busybox"],
  ["quay.io/harbour/catalog:v1", "oci://quay.io/harbour/catalog:v1"],
  ["quay.io/organization/harbour", undefined],
  ["hub.docker.com/u/harbour", undefined],
  ["./catalog", undefined],
])("%s probably means %s", ([text, meant]) => {
  expect(meantReference(text as string)).toBe(meant);
});

test.for([
  ["catalog.tar", "catalog"],
  ["saved/catalog.tar:v1", "catalog"],
  ["catalog.tar.gz:quay.io/harbour/index:v1", "catalog"],
  [`catalog.tgz@sha256:${"0a".repeat(32)}`, "catalog"],
])("%s is an archive, and one of its images", ([text, name]) => {
  expect(locationOf(text as string)).toEqual({ scheme: "archive", address: text });
  expect(readCatalogReference(text as string)).toMatchObject({ name });
});

test.for(["catalog.tar/index.yaml", "catalog.tarball:v1", "catalog.tar:"])("%s is a path", (text) => {
  expect(locationOf(text)).toBeUndefined();
});
