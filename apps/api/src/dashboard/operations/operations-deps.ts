import type { Breakers, Gate, LineReader, SystemReader } from '@outdial/calls';
import type { UserAdministration } from '@outdial/identity/users';
import type { Clock } from '@outdial/kernel';
import type { Administration, OperationsReader } from '@outdial/persistence';
import type { OperationSignals, OwnedCallQueue } from '@outdial/queue';
import type { SecretKey } from '@outdial/secrets';
import type { UserPrincipal } from '../../http/principal.ts';
import type { SlowFigures } from './slow-figures.ts';

/** The sources of the operations page. */
export interface OperationsDeps {
  readonly clock: Clock;
  /** The administration in the actor's name. Cheap. */
  readonly openAdministration: (actor: string) => Administration;
  /** The same with a longer time limit, for the import of a large deck. */
  readonly openSlowAdministration: (actor: string) => Pick<Administration, 'rates'>;
  /** The administration of users in the actor's name. Cheap. */
  readonly openUsers: (actor: string) => UserAdministration;
  /** Seals the passwords of trunks. Null: not set, and no trunk can have a password. */
  readonly secretKey: SecretKey | null;
  readonly systemReader: SystemReader;
  readonly operationsReader: OperationsReader;
  readonly slowFigures: SlowFigures;
  readonly gate: Pick<Gate, 'state' | 'refreshAccount' | 'accountUse'>;
  readonly breakers: Pick<Breakers, 'open'>;
  readonly lineReader: LineReader;
  readonly queue: Pick<OwnedCallQueue, 'counts' | 'inspect'>;
  readonly operationSignals: OperationSignals;
}

/** Names an operator in the audit. */
export function operatorOf({ session }: UserPrincipal): string {
  return `user:${session.user.id}`;
}

/** The platform's administration in an operator's name. */
export function administrationOf(deps: Pick<OperationsDeps, 'openAdministration'>, principal: UserPrincipal) {
  return deps.openAdministration(operatorOf(principal));
}

/** Notifies the workers. A worker that misses it looks within a second or two. */
export async function hurryWorkers({ operationSignals }: Pick<OperationsDeps, 'operationSignals'>): Promise<void> {
  await operationSignals.publish().catch(() => undefined);
}
