/** Loaded into each thread of the measured worker, the main one included: answers for the thread alone. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 10;
const NANOS_PER_MICRO = 1_000;
const PROFILE_EVERY_MICROS = 1_000;
const name = isMainThread ? 'main-thread' : (process.argv.at(-1) ?? '');
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const session = new Session();
const channel = new BroadcastChannel('outdial-bench');
channel.unref();
channel.addEventListener('message', ({ data }) => {
  if (data === 'begin' || data === 'end') channel.postMessage(measure({ collects: data === 'end' }), []);
  if (data === 'profile') void startProfile();
  if (data === 'stop') void stopProfile();
});

/** Since the last measurement, for the delay; since the thread's start, for the processor time. */
function measure({ collects }) {
  // The thread's time on a core, and its time in wait of one (Documentation/scheduler/sched-stats.rst).
  const [runNanos = 0, waitNanos = 0] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ').map(Number);
  const delayP99Ms = Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS);
  const delayMostMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
  const atMs = performance.timeOrigin + performance.now();
  // It would count as delay and as work of what follows.
  if (collects) collectGarbage();
  delay.reset();
  const { heapUsed, external } = process.memoryUsage();
  return {
    name,
    atMs,
    cpuMicros: runNanos / NANOS_PER_MICRO,
    waitMicros: waitNanos / NANOS_PER_MICRO,
    delayP99Ms,
    delayMostMs,
    heapBytes: heapUsed + external,
  };
}

async function startProfile() {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: PROFILE_EVERY_MICROS });
  await session.post('Profiler.start');
}

async function stopProfile() {
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  await writeFile(`${process.env.OUTDIAL_BENCH_PROFILES ?? '.'}/${name}.cpuprofile`, JSON.stringify(profile));
}
