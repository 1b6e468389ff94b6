import { readFileSync } from 'node:fs';
import type { Service } from '../stack/service.ts';

const EVERY_MS = 5_000;
/** Caches fill and heaps settle in the first part of a run. */
const SETTLED_SHARE = 0.3;
const LAST_SHARE = 0.2;
/** Fewer samples prove nothing: five minutes. */
const LEAST_SAMPLES = 60;
const MAX_GROWTH = 1.3;

export interface MemoryLog {
  stop(): { readonly summary: readonly string[]; readonly violations: readonly string[] };
}

/** Records the memory of processes, and reports whether it kept growing after they had settled. */
export function startMemoryLog(services: readonly Service[]): MemoryLog {
  const samples = services.map((service) => ({ service, pid: service.pid, rssBytes: new Array<number>() }));
  const timer = setInterval(() => {
    for (const { pid, rssBytes } of samples) rssBytes.push(residentBytes(pid));
  }, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      const verdicts = samples.map(({ service, rssBytes }) => judge(service.name, rssBytes));
      return {
        summary: verdicts.map(({ text }) => text),
        violations: verdicts.filter(({ grows }) => grows).map(({ text }) => `memory grows: ${text}`),
      };
    },
  };
}

function judge(name: string, rssBytes: readonly number[]) {
  const settled = median(rssBytes.slice(0, Math.ceil(rssBytes.length * SETTLED_SHARE)));
  const last = median(rssBytes.slice(-Math.ceil(rssBytes.length * LAST_SHARE)));
  const text = `${name} used ${megabytes(settled)} MB in the first part of the run and ${megabytes(last)} MB in the last`;
  return { text, grows: rssBytes.length >= LEAST_SAMPLES && last > settled * MAX_GROWTH };
}

/** Only Linux has this file; elsewhere nothing is measured. */
function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
