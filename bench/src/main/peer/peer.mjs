// V8 on the same dev.wasm. Arguments: module, folder of scripts. Each line of standard input,
// `MEASURE MESSAGES OPERATIONS`, is answered by the CPU nanoseconds that it took.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , moduleFile, folder] = process.argv;
const module = new WebAssembly.Module(readFileSync(moduleFile));
const OUT = 16;

function instantiate() {
  let memory;
  const wasi = {
    environ_sizes_get: (count, bytes) => {
      const view = new DataView(memory.buffer);
      view.setUint32(count, 0, true);
      view.setUint32(bytes, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_write: () => 8,
  };
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi });
  memory = exports.memory;
  return { exports, out: exports.dev_alloc(OUT) };
}

function fail(what, status) {
  throw new Error(`${what} answered ${status}`);
}

function put(engine, bytes) {
  const at = engine.exports.dev_alloc(bytes.length);
  new Uint8Array(engine.exports.memory.buffer, at, bytes.length).set(bytes);
  return at;
}

function make(engine, name, bytes) {
  const at = put(engine, bytes);
  const status = engine.exports[name](at, bytes.length, engine.out);
  engine.exports.dev_release(at, bytes.length);
  if (status !== 0) fail(name, status);
  return new DataView(engine.exports.memory.buffer).getBigInt64(engine.out, true);
}

function take(engine) {
  const view = new DataView(engine.exports.memory.buffer);
  const at = view.getUint32(engine.out, true);
  const length = view.getUint32(engine.out + 4, true);
  const copy = new Uint8Array(engine.exports.memory.buffer, at, length).slice();
  engine.exports.dev_free(engine.out);
  return copy;
}

function step(engine, handle, event) {
  const at = put(engine, event);
  const status = engine.exports.dev_step(handle, at, event.length, engine.out);
  if (status !== 0) fail("dev_step", status);
  const actions = take(engine);
  engine.exports.dev_release(at, event.length);
  return actions;
}

function snapshot(engine, handle) {
  const status = engine.exports.dev_snapshot(handle, engine.out);
  if (status !== 0) fail("dev_snapshot", status);
  return take(engine);
}

const scripts = new Map();
function script(messages) {
  if (!scripts.has(messages)) {
    const file = readFileSync(`${folder}/${messages}.script`);
    const parts = [];
    for (let at = 0; at < file.length; ) {
      const length = file.readUInt32LE(at);
      parts.push(new Uint8Array(file.subarray(at + 4, at + 4 + length)));
      at += 4 + length;
    }
    scripts.set(messages, { config: parts[0], state: parts[1], turn: parts.slice(2) });
  }
  return scripts.get(messages);
}

function timed(work) {
  const before = process.cpuUsage();
  work();
  const used = process.cpuUsage(before);
  return (used.user + used.system) * 1000;
}

const SESSIONS = 16;
const engine = instantiate();
function restored(state, count) {
  return Array.from({ length: count }, () => make(engine, "dev_restore", state));
}
function drop(handles) {
  for (const handle of handles) engine.exports.dev_drop(handle);
}

const measures = {
  open({ config }, operations) {
    return timed(() => {
      for (let i = 0; i < operations; i++) make(instantiate(), "dev_new", config);
    });
  },
  step({ state, turn }, operations) {
    let nanos = 0;
    for (let done = 0; done < operations; done += SESSIONS * turn.length) {
      const handles = restored(state, SESSIONS);
      nanos += timed(() => {
        for (const handle of handles) for (const event of turn) step(engine, handle, event);
      });
      drop(handles);
    }
    return nanos;
  },
  snapshot({ state }, operations) {
    const handles = restored(state, 1);
    const nanos = timed(() => {
      for (let i = 0; i < operations; i++) snapshot(engine, handles[0]);
    });
    drop(handles);
    return nanos;
  },
  restore({ state }, operations) {
    let nanos = 0;
    for (let done = 0; done < operations; done += SESSIONS) {
      let handles;
      nanos += timed(() => {
        handles = restored(state, SESSIONS);
      });
      drop(handles);
    }
    return nanos;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [measure, messages, operations] = line.split(" ");
  console.log(Math.round(measures[measure](script(messages), Number(operations))));
}
