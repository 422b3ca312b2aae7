// Which proxy is used for which server? The table follows Go's golang.org/x/net/http/httpproxy.
import { expect, test } from "vitest";
import { proxyFor, shownProxy } from "./proxy.ts";

function proxied(server: string, noProxy: string): boolean {
  return proxyFor(new URL(server), undefined, { HTTPS_PROXY: "http://p:1", NO_PROXY: noProxy }) !== undefined;
}

test.for([
  ["https://api.example.com", "", true],
  ["https://api.example.com", "*", false],
  ["https://api.example.com", "example.com", false],
  ["https://api.example.com", ".example.com", false],
  ["https://api.example.com", "*.example.com", false],
  ["https://example.com", "example.com", false],
  ["https://example.com", ".example.com", true],
  ["https://badexample.com", "example.com", true],
  ["https://API.example.com", " x ,api.EXAMPLE.com", false],
  ["https://api.example.com:6443", "api.example.com:6443", false],
  ["https://api.example.com:6443", "api.example.com:443", true],
  ["https://api.example.com", "api.example.com:443", false],
  ["https://10.1.2.3:6443", "10.0.0.0/8", false],
  ["https://11.1.2.3:6443", "10.0.0.0/8", true],
  ["https://10.1.2.3", "10.1.2.3", false],
  ["https://10.1.2.3:6443", "10.1.2.3:6443", false],
  ["https://[fd00::1]:6443", "fd00::/8", false],
  ["https://[fd00::1]:6443", "fd00:0::1", false],
  ["https://[fd00::1]:6443", "[fd00::1]:6443", false],
  ["https://[fd00::1]:6443", "10.0.0.0/8", true],
  ["https://api.example.com", "10.0.0.0/8", true],
  ["https://10.1.2.3", "10.0.0.0/99", true],
  ["https://127.0.0.1:6443", "", false],
  ["https://127.9.9.9", "", false],
  ["https://localhost", "", false],
  ["https://[::1]", "", false],
] as const)("%s with NO_PROXY=%s", ([server, noProxy, expected]) => {
  expect(proxied(server, noProxy)).toBe(expected);
});

test("where the proxy comes from", () => {
  const server = new URL("https://api.example.com");
  const of = (environment: NodeJS.ProcessEnv, written?: string): string | undefined =>
    proxyFor(server, written, environment)?.href;
  expect(of({ HTTPS_PROXY: "http://upper:1", https_proxy: "http://lower:1" })).toBe("http://upper:1/");
  expect(of({ https_proxy: "lower:1" })).toBe("http://lower:1/");
  expect(of({ HTTP_PROXY: "http://plain:1" })).toBeUndefined();
  expect(of({ HTTPS_PROXY: "http://upper:1", no_proxy: "example.com" })).toBeUndefined();
  expect(of({ HTTPS_PROXY: "http://upper:1", NO_PROXY: "*" }, "socks5://own:1")).toBe("socks5://own:1");
  expect(proxyFor(new URL("https://127.0.0.1"), "http://own:1", {})?.href).toBe("http://own:1/");
  expect(shownProxy(new URL("http://user:pass@own:1"))).toBe("http://own:1");
  expect(() => of({ HTTPS_PROXY: "ftp://x" })).toThrow("the HTTPS_PROXY is not the address of a proxy");
});
