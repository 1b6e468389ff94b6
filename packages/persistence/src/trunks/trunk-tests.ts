import type { TrunkName } from '@outdial/contracts';
import type { TrunkTestResult } from '../administration/trunk-tests.ts';
import type { Database } from '../database.ts';

/** A test that an operator requested and this worker has not started. */
export interface DueTrunkTest {
  readonly trunk: TrunkName;
  readonly requestedAtMs: number;
  /** Time since the request, by the clock of Postgres. */
  readonly ageMs: number;
}

/** Trunk tests, for the worker that runs them. */
export interface TrunkTests {
  /** Requests of the last minutes: a worker that starts later skips tests that operators no longer wait for. */
  due(workerId: string): Promise<readonly DueTrunkTest[]>;
  /** Replaces this worker's previous result for the trunk. */
  save(test: DueTrunkTest, result: TrunkTestResult): Promise<void>;
}

export function createTrunkTests({ side }: Database): TrunkTests {
  return {
    due: (workerId) => side.$queryRaw<DueTrunkTest[]>`
      SELECT t.name AS trunk, epoch_ms(t.test_requested_at) AS "requestedAtMs",
        epoch_ms(clock_timestamp()) - epoch_ms(t.test_requested_at) AS "ageMs"
      FROM trunks t LEFT JOIN trunk_tests r ON r.trunk = t.name AND r.worker_id = ${workerId}
      WHERE t.test_requested_at > now() - interval '2 minutes'
        AND (r.requested_at IS NULL OR r.requested_at < t.test_requested_at)
      ORDER BY t.name`,
    async save({ trunk, requestedAtMs }, { workerId, state, detail, tookMs }) {
      // The join drops trunks that were removed. A result never overwrites that of a later request.
      await side.$executeRaw`
        WITH gone AS (DELETE FROM trunk_tests WHERE requested_at < now() - interval '1 hour')
        INSERT INTO trunk_tests AS r (trunk, worker_id, requested_at, state, detail, took_ms)
        SELECT t.name, ${workerId}, from_epoch_ms(${requestedAtMs}::bigint), ${state}, ${detail}, ${tookMs}::int
        FROM trunks t WHERE t.name = ${trunk}
        ON CONFLICT (trunk, worker_id) DO UPDATE SET requested_at = excluded.requested_at, state = excluded.state,
          detail = excluded.detail, took_ms = excluded.took_ms
        WHERE r.requested_at <= excluded.requested_at`;
    },
  };
}
