// Loaded by NODE_OPTIONS into every thread of a process of the product, including threads without a TypeScript
// loader. Files switch the faults on, so that all threads learn of them at the same moment:
// - while CHAOS_DISK_FULL_FILE exists, files take no more writes;
// - once CHAOS_MODELS_FILE with `.dies` or `.blocks` exists, the model thread dies or blocks;
// - while CHAOS_CLOCK_FILE with `.ahead` or `.back` exists, the wall clock is an hour ahead or back.
import { existsSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';

const diskFullPath = process.env.CHAOS_DISK_FULL_FILE;
if (diskFullPath !== undefined) {
  const handle = await open('/dev/null');
  const prototype = Object.getPrototypeOf(handle);
  const { write } = prototype;
  prototype.write = function writeUnlessFull(...args) {
    if (!existsSync(diskFullPath)) return Reflect.apply(write, this, args);
    return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
  };
  await handle.close();
}

const clockPath = process.env.CHAOS_CLOCK_FILE;
if (clockPath !== undefined) {
  const HOUR_MS = 3_600_000;
  const realNow = Date.now;
  Date.now = () =>
    realNow() + (existsSync(`${clockPath}.ahead`) ? HOUR_MS : 0) - (existsSync(`${clockPath}.back`) ? HOUR_MS : 0);
}

const modelsPath = process.env.CHAOS_MODELS_FILE;
// No other thread has this input.
if (modelsPath !== undefined && workerData?.egressAllow !== undefined) {
  const LOOK_EVERY_MS = 100;
  const BLOCKED_MS = 60_000;
  const strike = (how) => {
    if (!existsSync(`${modelsPath}.${how}`)) return false;
    unlinkSync(`${modelsPath}.${how}`);
    return true;
  };
  // Meant for a thread that ended before.
  for (const how of ['dies', 'blocks']) strike(how);
  setInterval(() => {
    if (strike('dies')) throw new Error('chaos ends the model thread');
    if (strike('blocks')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  }, LOOK_EVERY_MS).unref();
}
