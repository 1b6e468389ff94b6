import type { DriveStore } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';

export type EnlargeInput = Parameters<DriveStore['enlargeHold']>[0];
export type EnlargeResult = Awaited<ReturnType<DriveStore['enlargeHold']>>;

/** Stores larger holds that the gate has granted, under its lock: a grant of an earlier generation is rejected. */
export async function enlargeHolds(
  { hot }: Database,
  inputs: readonly EnlargeInput[],
): Promise<readonly EnlargeResult[]> {
  const batch = JSON.stringify(
    inputs.map(({ callId, epoch, holdMicros, token }) => ({
      id: callId,
      epoch,
      hold_micros: Number(holdMicros),
      generation: token.generation,
      timeline: token.walTimeline,
    })),
  );
  const answers = await hot.$queryRaw<{ callId: CallId; outcome: EnlargeResult['kind'] }[]>`
    SELECT call_id AS "callId", outcome FROM enlarge_holds(${batch}::jsonb)`;
  const byCall = new Map(answers.map((answer) => [answer.callId, answer.outcome]));
  return inputs.map(({ callId }) => {
    const kind = byCall.get(callId);
    invariant(kind, 'enlarge_holds returns every row');
    return { kind };
  });
}
