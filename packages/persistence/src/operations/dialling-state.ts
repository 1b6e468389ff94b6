import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';

/** Whether an operator has paused dialing. A hint for the queue consumer: the claim checks again. */
export async function isDiallingPaused({ side }: Database): Promise<boolean> {
  const [row] = await side.$queryRaw<{ paused: boolean }[]>`
    SELECT dialling_paused AS paused FROM system_settings WHERE id = 1`;
  invariant(row, 'system_settings has its row');
  return row.paused;
}
