import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The fields of the callee's journal that the benchmarks use. */
const lineSchema = z.object({
  at: z.iso.datetime(),
  sip_call_id: z.string(),
  to: z.string(),
  event: z.string(),
  rtp: z
    .object({
      sent: z.number(),
      received: z.number(),
      lost: z.number(),
      late: z.number(),
      lost_there: z.number().nullable(),
    })
    .nullish(),
});
export type CalleeJournalLine = z.output<typeof lineSchema>;

export async function readJournal(path: string): Promise<readonly CalleeJournalLine[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => lineSchema.parse(JSON.parse(line)));
}
