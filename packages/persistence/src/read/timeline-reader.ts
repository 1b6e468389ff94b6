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
 * Reads any number of timelines on in one statement, a look into the index for each.
 *
 * An id is drawn with the call's row locked, by whoever adds an event; the lock is held until the commit. So within a
 * call ids rise in the order of commits, and an event never turns up behind one that was read. Across calls it may.
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
