import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Stack } from '../stack/stack.ts';

const lineSchema = z.object({ event: z.literal('queue.calls_requeued'), calls: z.number() });

/** How many jobs workers have added again since the start, by their logs: Redis had lost them. */
export async function requeuedCalls({ workers, logDir }: Pick<Stack, 'workers' | 'logDir'>): Promise<number> {
  let calls = 0;
  for (const { name } of workers) {
    const log = await readFile(join(logDir, `${name}.log`), 'utf8');
    for (const line of log.split('\n').filter((text) => text.includes('queue.calls_requeued'))) {
      calls += lineSchema.parse(JSON.parse(line)).calls;
    }
  }
  return calls;
}
