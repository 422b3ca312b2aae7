import { createServer, type IncomingHttpHeaders } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
export interface HttpRequest { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }
export interface HttpAnswer { readonly status: number; readonly type?: string; readonly body: string }
export interface HttpServer { readonly address: string; close(): Promise<void> }
type Handler = (request: HttpRequest) => Promise<HttpAnswer>;
export async function startHttpServer({ address, routes }: { address: string; routes: Handler | Readonly<Record<string, Handler>> }): Promise<HttpServer> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const asked = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
    const handler = typeof routes === "function" ? routes : routes[asked.url.split("?")[0] as string];
    const answer = handler === undefined ? { status: 404, body: "not found\n" } : await handler(asked);
    response.writeHead(answer.status, { "content-type": answer.type ?? "text/plain; charset=utf-8" });
    response.end(answer.body);
  });
  const at = address.lastIndexOf(":");
  server.listen(Number(address.slice(at + 1)), address.slice(0, at));
  await once(server, "listening");
  return { address: `${address.slice(0, at)}:${(server.address() as AddressInfo).port}`, close: async () => { server.closeAllConnections(); server.close(); } };
}
