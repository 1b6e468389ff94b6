import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { raiseThreadPriority, runInRealTime } = await import('../../src/thread-priority.ts');

const isLinux = process.platform === 'linux';
/** The real-time priority and the policy: fields 40 and 41 (proc(5)), after the name, which may have spaces. */
const schedulingOf = (stat) =>
  stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(37, 39)
    .map(Number);

const { wanted, path } = workerData;
if (path !== undefined) process.env.PATH = path;
const raised = wanted === 'real_time' ? runInRealTime() : raiseThreadPriority(wanted);
const scheduling = isLinux ? schedulingOf(readFileSync('/proc/thread-self/stat', 'utf8')) : null;
const ofChild = isLinux ? schedulingOf(execFileSync('/bin/cat', ['/proc/self/stat'], { encoding: 'utf8' })) : null;
parentPort?.postMessage({ raised, priority: getPriority(), scheduling, ofChild }, []);
