import type { AdmitRow, ScheduleStore } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { createGroupCommit, type Announcing } from '../group-commit.ts';
import { admitCalls } from './admit-calls.ts';
import { endExpired, refuse } from './end-scheduled.ts';
import { postpone } from './postpone.ts';
import { putBack } from './put-back.ts';
import { beginTurns, endTurn, mendTurns, stockCampaign, takeDue } from './turns.ts';

export function createScheduleStore(database: Database, { onCommitted }: Announcing = {}): ScheduleStore {
  const admissions = createGroupCommit({
    run: (rows: readonly AdmitRow[]) => admitCalls(database, rows),
    keyOf: (row: AdmitRow) => row.callId,
    isChange: ({ kind }) => kind === 'admitted',
    onCommitted,
  });
  const announce = (callIds: readonly CallId[]) => {
    if (callIds.length > 0) onCommitted?.(callIds);
  };
  return {
    beginTurns: (input) => beginTurns(database, input),
    takeDue: (input) => takeDue(database, input),
    stock: (input) => stockCampaign(database, input),
    admit: (row) => admissions.submit(row),
    async putBack(input) {
      announce(await putBack(database, input));
    },
    async postpone(input) {
      announce(await postpone(database, input));
    },
    async refuse(input) {
      const isRefused = await refuse(database, input);
      if (isRefused) announce([input.callId]);
      return isRefused;
    },
    endTurn: (input) => endTurn(database, input),
    async endExpired(input) {
      const ended = await endExpired(database, input);
      announce(ended);
      return ended.length;
    },
    mendTurns: () => mendTurns(database),
  };
}
