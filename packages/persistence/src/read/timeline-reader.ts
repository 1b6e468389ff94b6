import type { CallEvent, TimelineReader } from '@outdial/calls';
import type { CallEventType, CallId } from '@outdial/contracts';
import type { Database } from '../database.ts';

interface EventRow {
  readonly callId: CallId;
  readonly id: bigint;
  readonly atMs: number;
  readonly type: CallEventType;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Reads the new events of any number of timelines in one statement, with one index lookup each.
 *
 * A writer draws an event's id while it holds the lock of the call's row until its commit. So within a call, ids rise in
 * commit order, and an event never appears behind one that was read. Across calls it may.
 */
export function createTimelineReader({ side }: Database): TimelineReader {
  return {
    async readAfter(positions) {
      const callIds = positions.map(({ callId }) => callId);
      const afterIds = positions.map(({ afterId }) => afterId);
      const rows = await side.$queryRaw<EventRow[]>`
        SELECT e.call_id AS "callId", e.id, epoch_ms(e.at) AS "atMs", e.type, e.data
        FROM unnest(${callIds}::uuid[], ${afterIds}::bigint[]) AS p(call_id, after_id), LATERAL (
          SELECT x.* FROM call_events x WHERE x.call_id = p.call_id AND x.id > p.after_id OFFSET 0
        ) e
        ORDER BY e.id`;
      const timelines = new Map<CallId, CallEvent[]>();
      for (const { callId, id, ...event } of rows) {
        const timeline = timelines.get(callId) ?? [];
        timeline.push({ id: id.toString(), ...event });
        timelines.set(callId, timeline);
      }
      return timelines;
    },
  };
}
