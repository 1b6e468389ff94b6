import type { TrunkName } from '@outdial/contracts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { trunkNotFound } from './trunk-record.ts';

/** `asking`: the worker has sent an OPTIONS and waits for the response. */
export type TrunkTestState = 'asking' | 'answered' | 'silent' | 'unsent';

/** What one worker found when it tested a trunk. */
export interface TrunkTestResult {
  readonly workerId: string;
  readonly state: TrunkTestState;
  readonly detail: string | null;
  readonly tookMs: number | null;
}

/** The latest test of a trunk. `results` omits workers that have not started it yet. */
export interface TrunkTestRecord {
  readonly trunk: TrunkName;
  readonly requestedAtMs: number;
  readonly results: readonly TrunkTestResult[];
}

/** Trunk tests: the workers send the OPTIONS, because calls go through their network. */
export interface TrunkTestAdministration {
  /** Every SIP worker starts the test within a second or two. */
  request(name: TrunkName): Promise<void>;
  /** The latest test of each trunk that was ever tested. */
  list(): Promise<readonly TrunkTestRecord[]>;
}

export function administerTrunkTests({ database: { side }, actor }: AdministrationContext): TrunkTestAdministration {
  return {
    async request(name) {
      const [row] = await side.$queryRaw<{ count: number }[]>`
        WITH changed AS (
          UPDATE trunks SET test_requested_at = clock_timestamp() WHERE name = ${name} RETURNING name
        ), ${auditPart(actor, { action: 'trunk.test', subjectId: name, data: {} })}
        SELECT count(*)::int AS count FROM changed`;
      if (row?.count !== 1) throw trunkNotFound(name);
    },
    list: () => side.$queryRaw<TrunkTestRecord[]>`
      SELECT t.name AS trunk, epoch_ms(t.test_requested_at) AS "requestedAtMs",
        COALESCE((
          SELECT jsonb_agg(jsonb_build_object(
            'workerId', r.worker_id, 'state', r.state, 'detail', r.detail, 'tookMs', r.took_ms) ORDER BY r.worker_id)
          FROM trunk_tests r WHERE r.trunk = t.name AND r.requested_at = t.test_requested_at), '[]') AS results
      FROM trunks t WHERE t.test_requested_at IS NOT NULL ORDER BY t.name`,
  };
}
