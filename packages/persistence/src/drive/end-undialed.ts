import { Prisma } from '../generated/client.ts';
import { DUE_UNDIALED, SETTLE_DUE } from './settle.ts';

/** Ends the scheduled calls of `locked`, which names their reason and the details of the event. */
export const END_LOCKED_UNDIALED = Prisma.sql`
    timed AS MATERIALIZED (
      SELECT l.*, GREATEST(clock_timestamp(), l.created_at + interval '1 millisecond') AS now FROM locked l
    ), due AS MATERIALIZED (
      SELECT t.id, t.reason, t.details, ${DUE_UNDIALED} FROM timed t
    ), ${SETTLE_DUE}
    SELECT e.id AS "callId", e.ended_reason AS reason FROM ended e`;
