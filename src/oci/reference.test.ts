// Which texts name an image?
import fc from "fast-check";
import { expect, test } from "vitest";
import { apiHost, readImageReference, referenceText } from "./reference.ts";

const SHA = `sha256:${"0123456789abcdef".repeat(4)}`;

test.for([
  ["quay.io/ns/index:v1", "quay.io/ns/index:v1"],
  ["quay.io/ns/index", "quay.io/ns/index:latest"],
  [`quay.io/ns/index@${SHA}`, `quay.io/ns/index@${SHA}`],
  [`quay.io/ns/index:v1@${SHA}`, `quay.io/ns/index:v1@${SHA}`],
  [`quay.io/a@sha512:${"a".repeat(128)}`, `quay.io/a@sha512:${"a".repeat(128)}`],
  ["QUAY.io/ns/index:V1", "quay.io/ns/index:V1"],
  ["docker.io/busybox", "docker.io/library/busybox:latest"],
  ["docker.io/a/b:1", "docker.io/a/b:1"],
  ["index.docker.io/busybox:1", "docker.io/library/busybox:1"],
  ["registry-1.docker.io/a/b", "docker.io/a/b:latest"],
  ["localhost/a", "localhost/a:latest"],
  ["localhost:5000/a/b/c/d", "localhost:5000/a/b/c/d:latest"],
  ["127.0.0.1:5000/a", "127.0.0.1:5000/a:latest"],
  ["[::1]:5000/a", "[::1]:5000/a:latest"],
  ["registry.svc:05000/a__b/c-d.e", "registry.svc:5000/a__b/c-d.e:latest"],
  // Another spelling of an address is shown as what it is.
  ["0x7f.1/a", "127.0.0.1/a:latest"],
])("%s", ([text, canonical]) => {
  const read = readImageReference(text as string);
  expect("fault" in read ? read.fault : referenceText(read)).toBe(canonical);
});

const LOG_IN = "credentials are not part of a reference: log in with podman login HOST";

test("the API of Docker Hub is on another host", () => {
  expect(["docker.io", "quay.io"].map(apiHost)).toEqual(["registry-1.docker.io", "quay.io"]);
});

test.for([
  ["", "the name of the image is missing", "write REGISTRY/REPOSITORY:TAG"],
  [
    "ns/index:v1",
    '"ns/index" does not name a registry',
    "write the registry before the name: quay.io/ns/index, or docker.io/ns/index",
  ],
  [
    "busybox",
    '"busybox" does not name a registry',
    "write the registry before the name: quay.io/busybox, or docker.io/busybox",
  ],
  ["quay.io", '"quay.io" is a registry without a repository', "write REGISTRY/REPOSITORY:TAG"],
  ["localhost:5000/", '"localhost:5000" is a registry without a repository', "write REGISTRY/REPOSITORY:TAG"],
  ["localhost:5000", '"localhost" is a registry without a repository', "write REGISTRY/REPOSITORY:TAG"],
  ["https://quay.io/a/b", "an image has no https:// before its name", 'write "quay.io/a/b"'],
  ["quay.io/A/b", '"A" has capital letters', "names of repositories are lower-case"],
  ["quay.io/a//b", '"" is not a part of the name of a repository', undefined],
  ["quay.io/../b", '".." is not a part of the name of a repository', undefined],
  ["quay.io/a/b:", "the tag after the colon is missing", "write a tag there, such as latest"],
  ["quay.io/a/b:-x", '"-x" is not a tag', "a tag has letters, digits, and . _ - between them"],
  ["quay.io/a@sha256:12", '"sha256:12" is not a digest', "write @sha256: and 64 hexadecimal digits"],
  [
    "quay.io/a@md5:d41d8cd98f00b204e9800998ecf8427e",
    "what follows the @ is not a digest",
    "write @sha256: and 64 hexadecimal digits",
  ],
  [`quay.io/a@${SHA}@${SHA}`, "what follows the @ is not a digest", "write @sha256: and 64 hexadecimal digits"],
  ["quay.io:99999/a", '"quay.io:99999" is not the host of a registry', undefined],
  ["quay.io:0/a", '"quay.io:0" is not the host of a registry', undefined],
  ["quay.io/a@v1", "what follows the @ is not a digest", "write @sha256: and 64 hexadecimal digits"],
  ["me:pw@quay.io/a", "it has a user name before the host", LOG_IN],
  ["me:pw@quay.io", "it has a user name before the host", LOG_IN],
  [`me:p/w@quay.io/a@${SHA}`, "it has a user name before the host", LOG_IN],
  ["quay.io/a?token=PW", "the name of an image has no ?", "remove it, and what follows it"],
  ["https://quay.io/a#PW", "the name of an image has no #", "remove it, and what follows it"],
  ["quay..io/a", '"quay..io" is not the host of a registry', undefined],
  ["1.2.3.999/a", '"1.2.3.999" is not the host of a registry', undefined],
  ["quay.io/a b", '"a b" is not a part of the name of a repository', undefined],
  ["quay.io/a\n", '"a\\n" is not a part of the name of a repository', undefined],
  [`quay.io/${"a".repeat(250)}`, "the name of an image has at most 255 characters before its tag", undefined],
  ["x".repeat(1_000_000), "the name of an image has at most 520 characters", undefined],
])("not an image: %.60s", ([text, fault, hint]) => {
  const read = readImageReference(text as string);
  if (!("fault" in read)) throw new Error(`it is ${referenceText(read)}`);
  expect(read.fault.slice(0, (fault as string).length)).toBe(fault);
  expect(read.hint).toBe(hint);
});

test("what is read is written in one way, and never leaves the path of its repository", () => {
  const part = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom("..", "a", "quay.io", "b-c", ":v1", `@${SHA}`, ":80"),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), fc.constantFrom("/", "", "."), (parts, between) => {
      const read = readImageReference(parts.join(between));
      if ("fault" in read) {
        expect(read.fault.length).toBeLessThan(300);
        return;
      }
      const text = referenceText(read);
      expect(readImageReference(text)).toEqual(read);
      const { pathname, host } = new URL(`https://${read.registry}/v2/${read.repository}/manifests/x`);
      expect([host, pathname]).toEqual([read.registry.replace(/:443$/, ""), `/v2/${read.repository}/manifests/x`]);
    }),
  );
});
