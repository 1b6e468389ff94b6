import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Linux's USER_HZ: a hundredth of a second, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100;

/** The share of one core that a process uses over some time, in per cent. */
export async function processorShare(pid: number, seconds: number): Promise<number> {
  const [before, beganMs] = [await processorSeconds(pid), performance.now()];
  await sleep(seconds * 1_000);
  return ((await processorSeconds(pid)) - before) / ((performance.now() - beganMs) / 100_000);
}

/** What a process has used since its start. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The command before it may contain anything; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
