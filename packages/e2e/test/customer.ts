import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callEnvelopeSchema, type CallBody } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { SeededAccount } from './seeds.ts';

const POLL_MS = 100;
/** Retried: the outcome is unknown, the call is just being placed, or no store answered in time. */
const PASSES: ReadonlySet<number> = new Set([409, 503]);

export interface PlacedCall {
  readonly toNumber: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly agentId?: string;
}

/** A program of the account, which uses its key. */
export interface Customer {
  place(account: SeededAccount, call: PlacedCall): Promise<CallBody>;
  /** Also waits until the recording, if any, is stored. */
  untilEnded(account: SeededAccount, callId: string): Promise<CallBody>;
}

export function createCustomer(url: string): Customer {
  /** Retries when a busy machine has rejected the request; one key places one call. */
  async function ask(account: SeededAccount, path: string, init: RequestInit = {}): Promise<CallBody> {
    const headers = {
      'X-API-Key': account.key,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
    };
    for (;;) {
      const answer = await fetch(`${url}/api/v1/outbound/calls${path}`, { ...init, headers });
      const body: unknown = await answer.json();
      if (answer.ok) return callEnvelopeSchema.parse(body).call;
      invariant(PASSES.has(answer.status), `the API answers the customer, and not ${answer.status}`);
      await sleep(POLL_MS);
    }
  }

  return {
    place: (account, { toNumber, agentId = account.agentId, variables = { name: 'Ada' }, metadata = {} }) =>
      ask(account, '', {
        method: 'POST',
        body: JSON.stringify({ to_number: toNumber, agent_id: agentId, variables, metadata }),
      }),
    async untilEnded(account, callId) {
      for (;;) {
        const call = await ask(account, `/${callId}`);
        if (call.status === 'ended' && call.recording_status !== 'pending') return call;
        await sleep(POLL_MS);
      }
    },
  };
}
