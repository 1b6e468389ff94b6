/**
 * Preloaded into the measured worker. Answers `usage` with the memory and processor time of the process, `begin` and
 * `end` with those of each of its threads, and `profile` by profiling the model thread and the media thread until `stop`.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
// oxlint-disable-next-line import/no-unassigned-import -- answers for the main thread by itself
import './thread.mjs';

/** A thread that is busy answers late; one that is stuck never does. */
const COLLECT_MS = 10_000;
const THREAD_PROBE = new URL('thread.mjs', import.meta.url).href;

const MAIN_THREAD = 0;
/** The ids of the threads that run. */
const running = new Set([MAIN_THREAD]);

if (isMainThread) {
  loadProbeIntoThreads();
  const channel = new BroadcastChannel('outdial-bench');
  channel.unref();
  process.on('message', (message) => {
    if (message === 'usage') return void process.send?.(usage());
    if (message === 'begin' || message === 'end') return collect(channel, message);
    if (message === 'profile' || message === 'stop') channel.postMessage(message, []);
  });
  process.channel?.unref();
}

function usage() {
  const { user, system } = process.cpuUsage();
  return { rssBytes: process.memoryUsage.rss(), cpuMicros: user + system };
}

function collect(channel, message) {
  const threads = [];
  const finish = () => {
    clearTimeout(limit);
    channel.removeEventListener('message', receive);
    process.send?.({ threads });
  };
  const limit = setTimeout(finish, COLLECT_MS);
  const receive = ({ data }) => {
    threads.push(data);
    if (threads.length >= running.size) finish();
  };
  channel.addEventListener('message', receive);
  channel.postMessage(message, []);
}

/** Threads of the product start without its options, so each gets the probe by name. */
function loadProbeIntoThreads() {
  const threads = createRequire(import.meta.url)('node:worker_threads');
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(entry, options = {}) {
      const name = basename(dirname(entry instanceof URL ? entry.pathname : entry));
      const execArgv = [...(options.execArgv ?? []), `--import=${THREAD_PROBE}`];
      super(entry, { ...options, execArgv, argv: [name] });
      const id = this.threadId;
      running.add(id);
      this.once('exit', () => running.delete(id));
    }
  };
  syncBuiltinESMExports();
}
