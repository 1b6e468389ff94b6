import type { TurnReader } from '@outdial/calls';
import type { CallId, LiveTurn } from '@outdial/contracts';
import type { Database } from '../database.ts';

/** Reads the new turns of any number of calls in one statement, with one index lookup each. */
export function createTurnReader({ side }: Database): TurnReader {
  return {
    async readFrom(positions) {
      const callIds = positions.map(({ callId }) => callId);
      const indexes = positions.map(({ fromIndex }) => fromIndex);
      const rows = await side.$queryRaw<{ readonly callId: CallId; readonly turns: readonly LiveTurn[] }[]>`
        SELECT p.call_id AS "callId", s.turns
        FROM unnest(${callIds}::uuid[], ${indexes}::int[]) AS p(call_id, from_index), LATERAL (
          SELECT jsonb_agg(t.turn ORDER BY t.index) AS turns FROM call_turns t
          WHERE t.call_id = p.call_id AND t.index >= p.from_index
        ) s
        WHERE s.turns IS NOT NULL`;
      return new Map(rows.map(({ callId, turns }) => [callId, turns]));
    },
  };
}
