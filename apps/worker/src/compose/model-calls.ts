import { checkBreakers, type Breakers, type Gate, type LineDeps, type ModelToCheck } from '@outdial/calls';
import { DRIVERS } from '@outdial/contracts';
import { createEgressClient } from '@outdial/egress';
import type { Clock, Logger } from '@outdial/kernel';
import { createAdministration, createLineDirectory, createLineStore, type Database } from '@outdial/persistence';
import { createBreakers, createLineGate } from '@outdial/reservations';
import type { RedisClient } from '@outdial/queue';
import type { SecretKey } from '@outdial/secrets';
import { startLoop, type Loop } from '../loops/loop.ts';
import { createCallModels, type CallModels } from '../model-thread/call-models.ts';
import { createKeyChecks } from '../model-thread/key-checks.ts';
import type { WorkerConfig } from '../settings/config.ts';

export interface ModelCallsOptions {
  readonly config: Pick<WorkerConfig, 'OUTDIAL_EGRESS_ALLOW' | 'OUTDIAL_EGRESS_PROXY'>;
  readonly database: Database;
  readonly redis: RedisClient;
  readonly gate: Pick<Gate, 'close'>;
  /** Null: this worker opens no credential. */
  readonly secretKey: SecretKey | null;
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

export function composeModelCalls(options: ModelCallsOptions): ModelCalls {
  const { config, database, redis, gate, secretKey, clock, logger } = options;
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

  const { credentialsOf } = createAdministration(database, { actor: 'worker' });
  const keyChecks = createKeyChecks({ credentialsOf, secretKey, egress, clock, logger });

  async function check({ accountId, credentialId, model }: ModelToCheck): Promise<'reachable' | 'unreachable'> {
    const result = await keyChecks.check({ credentialId, accountId }, model);
    return result === 'unreachable' ? 'unreachable' : 'reachable';
  }

  return {
    lines,
    breakers,
    calls: createCallModels({ ...lines, breakers, keyChecks, gate, clock, logger }),
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
