// What does the controller look like to the tests? A stand-in that logs as it does, for the test of the harness itself.
import { createServer } from "node:http";

const say = (message, fields = {}) =>
  console.error(JSON.stringify({ time: new Date().toISOString(), level: "info", message, ...fields }));

process.on("SIGUSR2", () => process.exit(3));
process.on("SIGTERM", () => {
  say("stopping");
  process.exit(0);
});
for (const server of ["health", "metrics", "debug"]) {
  const listening = createServer((_, answer) => answer.end(`${server} ${process.argv.slice(2).join(" ")}`));
  await new Promise((done) => listening.listen(0, "127.0.0.1", done));
  say("listening", { server, address: `127.0.0.1:${listening.address().port}` });
}
console.log("not a line of the log");
setInterval(() => say("tick"), 50);
