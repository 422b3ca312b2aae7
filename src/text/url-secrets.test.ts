// Is nothing of a secret left of a URL, and everything else?

import { expect, test } from "vitest";
import { withoutUrlSecrets } from "./url-secrets.ts";

test.for([
  ["https://host:8443/catalogs/hub", "https://host:8443/catalogs/hub"],
  ["https://me:p@ss@host/a", "https://host/a"],
  ["https://host/a?token=s3cret", "https://host/a?token=[hidden]"],
  ["x=https://me:pw@host/a?a=s3cret&b=s3=cret#top", "x=https://host/a?a=[hidden]&b=[hidden]#top"],
  ["https://host/a?s3cret", "https://host/a?[hidden]"],
  ["https://host?token=", "https://host?token=[hidden]"],
  ['"https://host/a?token=s3cret" is no URL', '"https://host/a?token=[hidden]" is no URL'],
  ["https://a/?k=s3cret and http://b/?k=s3cret", "https://a/?k=[hidden] and http://b/?k=[hidden]"],
  ["is this a=b?c=d", "is this a=b?c=d"],
])("%s", ([text, shown]) => {
  expect(withoutUrlSecrets(text as string)).toBe(shown);
  expect(withoutUrlSecrets(shown as string)).toBe(shown);
});
