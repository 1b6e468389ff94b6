import type { Gate, SystemReader } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import type { Administration, OperationsReader } from '@outdial/persistence';
import type { OperationSignals, OwnedCallQueue } from '@outdial/queue';
import type { UserPrincipal } from '../../http/principal.ts';
import type { WaitingTimes } from './waiting-times.ts';

/** What the operations page is made of. */
export interface OperationsDeps {
  readonly clock: Clock;
  /** In somebody's name. Costs nothing. */
  readonly openAdministration: (actor: string) => Administration;
  readonly systemReader: SystemReader;
  readonly operationsReader: OperationsReader;
  readonly waitingTimes: WaitingTimes;
  readonly gate: Pick<Gate, 'state' | 'refreshAccount'>;
  readonly queue: Pick<OwnedCallQueue, 'counts' | 'inspect'>;
  readonly operationSignals: OperationSignals;
}

/** The platform, changed in an operator's name. */
export function administrationOf(deps: Pick<OperationsDeps, 'openAdministration'>, { session }: UserPrincipal) {
  return deps.openAdministration(`user:${session.user.id}`);
}

/** Makes workers look at once. Those that do not hear of it look within a second or two. */
export async function hurryWorkers({ operationSignals }: Pick<OperationsDeps, 'operationSignals'>): Promise<void> {
  await operationSignals.publish().catch(() => undefined);
}
