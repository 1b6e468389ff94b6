import {
  checkBreakers,
  type Breakers,
  type CredentialOpener,
  type Gate,
  type LineDeps,
  type ModelToCheck,
} from '@outdial/calls';
import { accountIdSchema, DRIVERS } from '@outdial/contracts';
import { createEgressClient } from '@outdial/egress';
import type { Clock, Logger } from '@outdial/kernel';
import { createLineDirectory, createLineStore, type Database } from '@outdial/persistence';
import { checkCredential } from '@outdial/providers';
import { createBreakers, createLineGate } from '@outdial/reservations';
import type { RedisClient } from '@outdial/queue';
import { startLoop, type Loop } from '../loops/loop.ts';
import { createCallModels, type CallModels } from '../model-thread/call-models.ts';
import type { WorkerConfig } from '../settings/config.ts';

export interface ModelCallsOptions {
  readonly config: Pick<WorkerConfig, 'OUTDIAL_EGRESS_ALLOW' | 'OUTDIAL_EGRESS_PROXY'>;
  readonly database: Database;
  readonly redis: RedisClient;
  readonly gate: Pick<Gate, 'close'>;
  readonly credentials: CredentialOpener;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The lines and breakers of calls that models conduct. */
export interface ModelCalls {
  readonly lines: LineDeps;
  readonly breakers: Breakers;
  readonly calls: CallModels;
  startLoops(): readonly Loop[];
  close(): Promise<void>;
}

const CHECK_EVERY_MS = 1_000;
/** The operator's credentials open for any account. */
const NO_ACCOUNT = accountIdSchema.parse('00000000-0000-4000-8000-000000000000');

export function composeModelCalls(options: ModelCallsOptions): ModelCalls {
  const { config, database, redis, gate, credentials, clock, logger } = options;
  const lines = {
    lineGate: createLineGate({ redis }),
    lineDirectory: createLineDirectory(database),
    lineStore: createLineStore(database),
    drivers: DRIVERS,
  };
  const breakers = createBreakers({ redis });
  const egress = createEgressClient({
    allowed: config.OUTDIAL_EGRESS_ALLOW,
    proxy: config.OUTDIAL_EGRESS_PROXY ?? null,
    clock,
  });

  async function check({ accountId, credentialId, model }: ModelToCheck): Promise<'reachable' | 'unreachable'> {
    const [opened] = await credentials.open(accountId ?? NO_ACCOUNT, [credentialId]);
    if (!opened) return 'reachable';
    const { result } = await checkCredential(egress, { credential: { ...opened, accountId, region: null }, model });
    return result === 'unreachable' ? 'unreachable' : 'reachable';
  }

  return {
    lines,
    breakers,
    calls: createCallModels({ ...lines, breakers, gate, clock, logger }),
    startLoops: () => [
      startLoop({
        name: 'check breakers',
        intervalMs: CHECK_EVERY_MS,
        round: () => checkBreakers({ breakers, checkCredential: check, logger }),
        clock,
        logger,
        random: Math.random,
      }),
    ],
    close: () => egress.close(),
  };
}
