import { AVAILABILITY_TTL_MS, type TrunkAvailability, type TrunkAvailabilityStore } from '@outdial/calls';
import { unreachable, type Clock } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { createFreshCache } from '../directory/fresh-cache.ts';

interface OutlookRow {
  readonly state: TrunkAvailability['kind'];
  readonly forMs: number | null;
  readonly backInMs: number | null;
}

/** What workers tell of the trunks to whoever accepts calls. Those that are gone are forgotten after an hour. */
export function createTrunkOutlooks({ side }: Database): TrunkAvailabilityStore {
  return {
    async save(workerId, outlook) {
      const { kind } = outlook;
      const forMs = kind === 'out' ? outlook.forMs : null;
      const backInMs = kind === 'out' ? outlook.backInMs : null;
      await side.$executeRaw`
        WITH gone AS (DELETE FROM trunk_outlooks WHERE told_at < now() - interval '1 hour' AND worker_id <> ${workerId})
        INSERT INTO trunk_outlooks (worker_id, state, out_since, back_at, told_at)
        VALUES (${workerId}, ${kind}, now() - ${forMs}::float8 * interval '1 millisecond',
                now() + ${backInMs}::float8 * interval '1 millisecond', now())
        ON CONFLICT (worker_id) DO UPDATE
          SET state = excluded.state, out_since = excluded.out_since, back_at = excluded.back_at,
              told_at = excluded.told_at`;
    },
    async remove(workerId) {
      await side.$executeRaw`DELETE FROM trunk_outlooks WHERE worker_id = ${workerId}`;
    },
    async read() {
      // One worker that has a trunk can dial what all others cannot.
      const [row] = await side.$queryRaw<OutlookRow[]>`
        SELECT state, (extract(epoch FROM now() - out_since) * 1000)::float8 AS "forMs",
          (extract(epoch FROM back_at - now()) * 1000)::float8 AS "backInMs"
        FROM trunk_outlooks
        WHERE told_at > now() - ${AVAILABILITY_TTL_MS}::float8 * interval '1 millisecond'
        ORDER BY array_position(ARRAY['up', 'out', 'none'], state), out_since DESC, back_at NULLS LAST LIMIT 1`;
      return row ? toOutlook(row) : null;
    },
  };
}

const MAX_AGE_MS = 500;
const MAX_READ_MS = 1_000;

/** The outlook for every request, read twice a second at most. */
export function cachedOutlook(
  outlooks: Pick<TrunkAvailabilityStore, 'read'>,
  clock: Clock,
): () => Promise<TrunkAvailability | null> {
  const cache = createFreshCache<TrunkAvailability | null>({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxReadMs: MAX_READ_MS,
    maxEntries: 1,
  });
  return () => cache('', () => outlooks.read());
}

function toOutlook({ state, forMs, backInMs }: OutlookRow): TrunkAvailability {
  switch (state) {
    case 'up':
    case 'none':
      return { kind: state };
    case 'out':
      return { kind: 'out', forMs: forMs ?? 0, backInMs };
    default:
      return unreachable(state);
  }
}
