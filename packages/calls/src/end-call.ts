import type { AccountId, CallId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { Call } from './call.ts';
import type { EndSignals } from './ports/call-queue.ts';
import type { CallReader } from './ports/call-reader.ts';
import type { EndStore } from './ports/drive-store.ts';
import type { Gate } from './ports/gate.ts';

export interface EndCallDeps {
  readonly store: EndStore;
  readonly reader: Pick<CallReader, 'find'>;
  readonly gate: Pick<Gate, 'release'>;
  readonly signals: EndSignals;
}

export type EndCallOutcome =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'already_ended'; readonly call: Call }
  /** Already `cancelled` if no worker had claimed it; otherwise its driver will hang up. */
  | { readonly kind: 'ending'; readonly call: Call };

/** Ends a call in any state. Needs only Postgres: freeing the slot and notifying the driver are best effort. */
export function createEndCall(deps: EndCallDeps) {
  return async function endCall(input: {
    readonly accountId: AccountId;
    readonly callId: CallId;
  }): Promise<EndCallOutcome> {
    const request = await deps.store.requestEnd(input);
    switch (request.kind) {
      case 'not_found':
        return { kind: 'not_found' };
      case 'already_ended':
        break;
      case 'cancelled':
        if (request.release !== null) deps.gate.release(request.release).catch(() => undefined);
        break;
      case 'requested':
        deps.signals.publish(input.callId).catch(() => undefined);
        break;
      default:
        return unreachable(request);
    }
    const call = await deps.reader.find(input.accountId, input.callId);
    if (call === null) return { kind: 'not_found' };
    return { kind: request.kind === 'already_ended' ? 'already_ended' : 'ending', call };
  };
}
