import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';

/** Whether an operator has paused dialling: a hint for whoever takes calls. The claim asks for itself. */
export async function isDiallingPaused({ side }: Database): Promise<boolean> {
  const [row] = await side.$queryRaw<{ paused: boolean }[]>`
    SELECT dialling_paused AS paused FROM system_settings WHERE id = 1`;
  invariant(row, 'the system has its settings');
  return row.paused;
}
