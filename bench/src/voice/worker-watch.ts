import { EventEmitter, once } from 'node:events';
import { z } from 'zod';
import type { Subprocess } from '../processes.ts';

/** The sound statistics in the worker's log, once per interval. */
const soundLineSchema = z.object({
  msg: z.literal('sound'),
  sessions: z.number(),
  packets: z.number(),
  latenessP50Ms: z.number(),
  latenessP99Ms: z.number(),
  latenessMostMs: z.number(),
  sentPackets: z.number(),
  receivedPackets: z.number(),
  lostPackets: z.number(),
  latePackets: z.number(),
});
export type SoundLine = z.output<typeof soundLineSchema>;

const mindFailedSchema = z.object({
  event: z.literal('mind.failed'),
  component: z.string(),
  failure: z.string(),
  reason: z.string(),
});

const usageSchema = z.object({ rssBytes: z.number(), cpuMicros: z.number() });
export type Usage = z.output<typeof usageSchema>;

/** Reads the lines that a worker logs. */
export class WorkerLog {
  readonly #lines = new EventEmitter();
  readonly #mindFailures = new Map<string, number>();
  #isTakingCalls = false;

  /** Called with each line of its standard output. */
  read(text: string): void {
    if (!text.startsWith('{')) return;
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null && 'msg' in line && line.msg === 'taking calls') {
      this.#isTakingCalls = true;
      this.#lines.emit('taking');
    }
    const sound = soundLineSchema.safeParse(line);
    if (sound.success) this.#lines.emit('sound', sound.data);
    const failed = mindFailedSchema.safeParse(line);
    if (failed.success) this.#count(failed.data);
  }

  /** How often minds failed, by component and cause. */
  get mindFailures(): ReadonlyMap<string, number> {
    return this.#mindFailures;
  }

  async takingCalls(): Promise<void> {
    if (!this.#isTakingCalls) await once(this.#lines, 'taking');
  }

  /** The statistics of so many intervals, the current one first. */
  async sound(intervals: number): Promise<readonly SoundLine[]> {
    const lines: SoundLine[] = [];
    while (lines.length < intervals) lines.push(await this.nextSound());
    return lines;
  }

  /** Resolves at the end of the current interval. */
  async nextSound(): Promise<SoundLine> {
    const [line]: SoundLine[] = await once(this.#lines, 'sound');
    if (!line) throw new Error('the worker logged no sound statistics');
    return line;
  }

  #count({ component, failure, reason }: z.output<typeof mindFailedSchema>): void {
    const cause = `${component} ${failure}: ${reason}`;
    this.#mindFailures.set(cause, (this.#mindFailures.get(cause) ?? 0) + 1);
  }
}

/** Memory and processor time of a process with the probe. */
export function usageOf(worker: Subprocess): Promise<Usage> {
  return new Promise((resolve) => {
    const ignore = worker.onMessage((message) => {
      const usage = usageSchema.safeParse(message);
      if (!usage.success) return;
      ignore();
      resolve(usage.data);
    });
    worker.send('usage');
  });
}
