import { randomUUID } from 'node:crypto';
import type { CallBody } from '@outdial/contracts';
import { expect } from 'vitest';
import { z } from 'zod';
import type { ChildApi } from './child-api.ts';
import type { SipNetwork } from './sip-network.ts';

const AT_ONCE = 20;
const LATE = new Set(['service_unavailable', 'outcome_unknown', 'idempotency_in_progress']);

const answerSchema = z.union([
  z.object({ call: z.object({ id: z.string() }) }),
  z.object({ error: z.object({ code: z.string() }) }),
]);

export interface Answer {
  /** The id of the call, or the code of the rejection. */
  readonly said: string;
  readonly retryAfter: string | null;
}

/** Requests one call. A 503 from a busy machine is retried. */
export async function ask(network: SipNetwork, toNumber: string, api: ChildApi = network.api): Promise<Answer> {
  const body = { to_number: toNumber, agent_id: network.agentId, variables: { name: 'Ada' } };
  const key = randomUUID();
  for (;;) {
    const response = await api.placeOnce(body, key);
    const answer = answerSchema.parse(await response.json());
    const retryAfter = response.headers.get('retry-after');
    if ('call' in answer) return { said: answer.call.id, retryAfter };
    if (!LATE.has(answer.error.code)) return { said: answer.error.code, retryAfter };
  }
}

/** Fails if the request is rejected. @returns the id of the call. */
export async function place(network: SipNetwork, toNumber: string, api: ChildApi = network.api): Promise<string> {
  const { said } = await ask(network, toNumber, api);
  expect(said).toMatch(/^[0-9a-f]{8}-/);
  return said;
}

/** Places all calls, twenty at a time, and waits for their ends. Fails if one of them is rejected. */
export async function placeAll(network: SipNetwork, toNumbers: readonly string[]): Promise<readonly CallBody[]> {
  const left = [...toNumbers];
  const ended: CallBody[] = [];
  const placeInTurn = async () => {
    for (let to = left.shift(); to !== undefined; to = left.shift()) {
      ended.push(await network.api.ended(await place(network, to)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, placeInTurn));
  return ended;
}
