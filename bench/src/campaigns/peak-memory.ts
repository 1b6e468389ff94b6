import { readFile, writeFile } from 'node:fs/promises';

/** Forgets the peak of a process's memory, and returns what it holds now, in bytes. Linux only. */
export async function resetPeakMemory(pid: number): Promise<number> {
  // 5 resets the peak (proc(5)).
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return statusBytes(pid, 'VmRSS');
}

/** The most that a process has held at once since then, in bytes. */
export const peakMemory = (pid: number): Promise<number> => statusBytes(pid, 'VmHWM');

async function statusBytes(pid: number, field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kilobytes ?? NaN) * 1_024;
}
