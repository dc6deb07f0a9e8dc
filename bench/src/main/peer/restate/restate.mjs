// Steps that do nothing, on Restate: arguments are a folder for its data and the number of handlers at once. Prints its version
// when it is ready, then for each line of standard input a number: for "one STEPS" the median of a step of one handler in
// milliseconds, for "many SECONDS" the steps of all in a second. Runs in the folder that holds node_modules.
import { spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, atOnce] = process.argv.slice(2);
const home = process.cwd();
// Answers alone go to standard output; an invocation is no news.
console.log = console.info = console.debug = console.warn = console.error;
process.env.RESTATE_LOGGING = "WARN";
const answer = (text) => process.stdout.write(`${text}\n`);
const require = createRequire(join(home, "package.json"));
const restate = await import(pathToFileURL(require.resolve("@restatedev/restate-sdk")).href);

let all = 0;
const now = () => Number(process.hrtime.bigint());
const step = (ctx) => ctx.run("nothing", () => 0);

const steps = restate.service({
  name: "steps",
  handlers: {
    count: async (ctx, count) => {
      const nanos = [];
      for (let i = 0; i < count; i++) {
        const before = now();
        await step(ctx);
        nanos.push(now() - before);
      }
      nanos.sort((a, b) => a - b);
      return nanos[Math.floor(count / 2)];
    },
    until: async (ctx, deadline) => {
      let done = 0;
      for (; now() < deadline; done++) {
        await step(ctx);
        all++;
      }
      return done;
    },
  },
});

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const [ours, admin, ingress, node] = [await freePort(), await freePort(), await freePort(), await freePort()];
await restate.serve({ services: [steps], port: ours });

mkdirSync(folder, { recursive: true });
const log = openSync(join(folder, "restate.log"), "a");
const binary = join(home, "node_modules/@restatedev/restate-server-linux-x64/bin/restate-server");
const server = spawn(binary, ["--no-logo", "--listen-mode", "tcp"], {
  cwd: folder,
  stdio: ["ignore", log, log],
  env: {
    PATH: process.env.PATH,
    HOME: folder,
    RESTATE_BASE_DIR: join(folder, "restate-data"),
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_ADMIN__DISABLE_WEB_UI: "true",
    // As it is without being said: an append is acknowledged when it is synced.
    RESTATE_LOG_SERVER__ROCKSDB_DISABLE_WAL_FSYNC: "false",
    RESTATE_LOG_FILTER: "warn",
  },
});
const over = new Promise((_, reject) =>
  server.on("exit", (code) => reject(new Error(`restate-server ended (${code}): see ${folder}/restate.log`))),
);
over.catch(() => {});

const post = async (port, path, body) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

const patiently = async (ask) => {
  for (const deadline = now() + 60e9; ; ) {
    try {
      return await ask();
    } catch (e) {
      if (now() > deadline) throw e;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};

const together = async (span) => {
  const before = all;
  const begun = now();
  const deadline = begun + span * 1e9;
  await Promise.all(Array.from({ length: Number(atOnce) }, () => post(ingress, "/steps/until", deadline)));
  return ((all - before) * 1e9) / (now() - begun);
};

const measure = {
  one: async (steps) => (await post(ingress, "/steps/count", steps)) / 1e6,
  many: together,
};

const run = async () => {
  await patiently(() => post(admin, "/deployments", { uri: `http://127.0.0.1:${ours}` }));
  await patiently(() => post(ingress, "/steps/count", 1));
  const { version } = JSON.parse(readFileSync(join(home, "node_modules/@restatedev/restate-server/package.json")));
  answer(version);
  for await (const line of createInterface({ input: process.stdin })) {
    const [what, much] = line.split(" ");
    answer(await measure[what](Number(much)));
  }
};

try {
  await Promise.race([run(), over]);
} catch (e) {
  console.error(String(e.message ?? e));
  process.exitCode = 1;
} finally {
  server.kill("SIGKILL");
}
process.exit();
