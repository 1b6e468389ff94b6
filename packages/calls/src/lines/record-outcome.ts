import type { BreakerName, CallId } from '@outdial/contracts';
import { unreachable, type Logger } from '@outdial/kernel';
import { breakersOf, type CallOfModel, type ModelOutcome } from '../breaker.ts';
import type { PinnedModel } from '../conducted-call.ts';
import type { Breakers, SeenOutcome } from '../ports/breakers.ts';
import { evaluateBreaker } from './evaluate-breaker.ts';

export interface OutcomeDeps {
  readonly breakers: Breakers;
  readonly logger: Logger;
  /**
   * Whether the provider rejects the key of the model's credential, as a check of that key alone finds. A call that was refused
   * does not suffice: its agent may ask for what the key may not use. Never rejects.
   */
  readonly isKeyRejected: (model: PinnedModel, owner: CallOfModel['accountId'] | null) => Promise<boolean>;
}

type RecordDeps = Pick<OutcomeDeps, 'breakers' | 'logger'>;

/** One use of a model by a call. */
export interface UsedModel {
  readonly callId: CallId;
  readonly call: CallOfModel;
  readonly model: PinnedModel;
  readonly outcome: ModelOutcome;
}

/**
 * Adds what the use of a model has shown to its breakers' evidence, and opens or closes them. A fault of the provider counts for the
 * model and for the account, what the provider refused for the agent's version alone. A key that the provider rejects counts for
 * none: its check closes the credential. Rejects while Redis is away.
 */
export async function recordOutcome(deps: OutcomeDeps, { callId, call, model, outcome }: UsedModel): Promise<void> {
  const breakers = breakersOf(model, call);
  const seen = { callId, accountId: call.accountId };
  const ofProvider = outcome === 'rejected' ? 'neither' : outcome;
  const owner = call.accountId;
  const isForKey = outcome === 'rejected' && (await deps.isKeyRejected(model, model.isOwn ? owner : null));
  const ofAgent = outcome === 'fault' || isForKey ? 'neither' : outcome === 'rejected' ? 'fault' : outcome;
  await Promise.all([
    recordOne(deps, { ...seen, breaker: breakers.model, outcome: ofProvider }, model.isOwn ? owner : null),
    breakers.account && recordOne(deps, { ...seen, breaker: breakers.account, outcome: ofProvider }, owner),
    recordOne(deps, { ...seen, breaker: breakers.agentVersion, outcome: ofAgent }, owner),
  ]);
}

/** @param owner the account whose calls alone the breaker holds back; null for one that accounts share */
async function recordOne(
  { breakers, logger }: RecordDeps,
  seen: SeenOutcome,
  owner: CallOfModel['accountId'] | null,
): Promise<void> {
  const { breaker, outcome } = seen;
  const known = await breakers.record(seen);
  if (outcome === 'neither') return;
  const newest = { outcome, isProbe: known.isProbe };
  const move = evaluateBreaker({ ...known, isShared: owner === null, newest });
  const streak = known.outage?.streak ?? 0;
  switch (move.kind) {
    case 'stay':
      return;
    case 'close':
      if ((await breakers.change(breaker, streak, move)) === 'changed') logClosed(logger, breaker);
      return;
    case 'open': {
      const { forMs } = move;
      // Only a provider's own outage shows in the check of a credential.
      const isChecked = breaker.includes('@');
      const changed = await breakers.change(breaker, streak, { kind: 'open', forMs, isChecked, owner });
      if (changed === 'changed') logOpened(logger, { breaker, forMs, streak: streak + 1 });
      return;
    }
    default:
      return unreachable(move);
  }
}

function logClosed(logger: Logger, breaker: BreakerName): void {
  logger.info({ event: 'breaker.closed', breaker }, 'a model takes calls again');
}

export function logOpened(
  logger: Logger,
  opened: { readonly breaker: BreakerName; readonly forMs: number; readonly streak: number },
): void {
  logger.warn({ event: 'breaker.opened', ...opened }, 'a model takes no calls for a time');
}
