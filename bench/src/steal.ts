import { readFileSync } from 'node:fs';

/** The processor time of this machine since it started, in ticks. */
export interface MachineTime {
  /** What the hypervisor gave to other machines while this one had work. */
  readonly stolen: number;
  /** Of all cores, idle time too. */
  readonly all: number;
}

/** From `/proc/stat`, whose first line sums the cores up (proc_stat(5)). */
export function readMachineTime(): MachineTime {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  // User, nice, system, idle, iowait, irq, softirq, steal; guests, which follow, are in the first two.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, tick) => sum + tick, 0) };
}

/** Percent of this machine's processor time between two readings. */
export function stealPercent(before: MachineTime, after: MachineTime): number {
  const all = after.all - before.all;
  return all === 0 ? 0 : ((after.stolen - before.stolen) / all) * 100;
}
