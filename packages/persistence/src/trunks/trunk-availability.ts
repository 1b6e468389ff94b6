import { AVAILABILITY_TTL_MS, type TrunkAvailability, type TrunkAvailabilityStore } from '@outdial/calls';
import { createFreshCache, unreachable, type Clock } from '@outdial/kernel';
import type { Database } from '../database.ts';

interface AvailabilityRow {
  readonly state: TrunkAvailability['kind'];
  readonly forMs: number | null;
  readonly backInMs: number | null;
}

/** Workers' reports of whether trunks take calls, for accepting processes. Old reports are deleted after an hour. */
export function createTrunkAvailabilityStore({ side }: Database): TrunkAvailabilityStore {
  return {
    async save(workerId, availability) {
      const { kind } = availability;
      const forMs = kind === 'out' ? availability.forMs : null;
      const backInMs = kind === 'out' ? availability.backInMs : null;
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
      // One worker with a trunk can dial what the others cannot.
      const [row] = await side.$queryRaw<AvailabilityRow[]>`
        SELECT state, (extract(epoch FROM now() - out_since) * 1000)::float8 AS "forMs",
          (extract(epoch FROM back_at - now()) * 1000)::float8 AS "backInMs"
        FROM trunk_outlooks
        WHERE told_at > now() - ${AVAILABILITY_TTL_MS}::float8 * interval '1 millisecond'
        ORDER BY array_position(ARRAY['up', 'out', 'none'], state), out_since DESC, back_at NULLS LAST LIMIT 1`;
      return row ? toAvailability(row) : null;
    },
  };
}

const MAX_AGE_MS = 500;
const MAX_READ_MS = 1_000;

/** Trunk availability for every request, read at most twice a second. */
export function cachedTrunkAvailability(
  store: Pick<TrunkAvailabilityStore, 'read'>,
  clock: Clock,
): () => Promise<TrunkAvailability | null> {
  const cache = createFreshCache<TrunkAvailability | null>({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxReadMs: MAX_READ_MS,
    maxEntries: 1,
  });
  return () => cache('', () => store.read());
}

function toAvailability({ state, forMs, backInMs }: AvailabilityRow): TrunkAvailability {
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
