// Which image is meant by the address of a web page? The right one, or none.

import { expect, test } from "vitest";
import { imagePage } from "./image-page.ts";

const DIGEST = `sha256:${"0a".repeat(32)}`;

const PAGES: readonly (readonly [string, string | undefined])[] = [
  ["hub.docker.com/_/busybox", "docker.io/library/busybox"],
  ["hub.docker.com/_/busybox/tags", "docker.io/library/busybox"],
  ["hub.docker.com/_/busybox?tab=tags", "docker.io/library/busybox"],
  ["hub.docker.com/r/harbour/catalog", "docker.io/harbour/catalog"],
  ["hub.docker.com/r/harbour/catalog/", "docker.io/harbour/catalog"],
  ["hub.docker.com/r/harbour/catalog/tags", "docker.io/harbour/catalog"],
  ["hub.docker.com/r/harbour/catalog/tags?page=1&name=v1", "docker.io/harbour/catalog"],
  ["hub.docker.com/repository/docker/harbour/catalog/general", "docker.io/harbour/catalog"],
  ["quay.io/repository/harbour/catalog", "quay.io/harbour/catalog"],
  ["quay.io/repository/harbour/catalog:v1", "quay.io/harbour/catalog:v1"],
  ["quay.io/repository/harbour/catalog?tab=tags", "quay.io/harbour/catalog"],
  ["quay.io/repository/harbour/catalog/?tab=tags&tag=latest#top", "quay.io/harbour/catalog"],
  [`quay.io/repository/harbour/catalog/manifest/${DIGEST}`, `quay.io/harbour/catalog@${DIGEST}`],
  ["QUAY.io/repository/harbour/catalog", "quay.io/harbour/catalog"],
  // Pages about something else, or in a form that is not known.
  ["quay.io/repository/", undefined],
  ["quay.io/repository/harbour", undefined],
  ["quay.io/repository/harbour/catalog/build/1", undefined],
  ["quay.io/repository/Harbour/Catalog", undefined],
  ["quay.io/organization/harbour", undefined],
  ["hub.docker.com/u/harbour", undefined],
  ["hub.docker.com/r/harbour", undefined],
  ["hub.docker.com/layers/harbour/catalog/v1/images/sha256-00", undefined],
  ["hub.docker.com", undefined],
];

test.for(PAGES.flatMap(([page, image]) => ["", "https://", "http://www."].map((scheme) => [scheme + page, image])))(
  "%s is about %s",
  ([page, image]) => {
    expect(imagePage(page as string)).toEqual(image === undefined ? {} : { image });
  },
);

test.for(["quay.io/harbour/catalog", "quay.io/repositorys/a", "docker.io/r/a/b", "./quay.io/repository/a/b"])(
  "%s is not known as a page",
  (text) => {
    expect(imagePage(text)).toBeUndefined();
  },
);
