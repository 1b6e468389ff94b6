import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callEnvelopeSchema, type CallBody } from '@outdial/contracts';

/** The product's public interface, as a customer uses it. */
export interface ApiClient {
  /** @returns the call's id. Retries until the service has accepted it. */
  place(call: { readonly toNumber: string; readonly agentId: string }): Promise<string>;
  end(callId: string): Promise<void>;
  find(callId: string): Promise<CallBody>;
  /** Resolves once the call has ended and its recording is readable, or will never exist. */
  ended(callId: string): Promise<CallBody>;
  /** The WAV file. */
  recording(callId: string): Promise<Buffer>;
}

const POLL_MS = 250;
/** Longer than any benchmark: the benchmark or the conversation ends a call. */
const LONGEST_CALL_SECONDS = 3_600;

export function createApiClient({ port, apiKey }: { readonly port: number; readonly apiKey: string }): ApiClient {
  const baseUrl = `http://127.0.0.1:${port}/api/v1`;

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    // Retries use the same key, so that a call that was accepted after all is not placed again.
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': randomUUID() };
    for (;;) {
      const response = await fetch(`${baseUrl}${path}`, { ...init, headers });
      if (response.ok) return response;
      if (response.status !== 503)
        throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
      await response.body?.cancel();
      await sleep(POLL_MS);
    }
  }

  async function find(callId: string): Promise<CallBody> {
    const response = await ask(`/outbound/calls/${callId}`);
    return callEnvelopeSchema.parse(await response.json()).call;
  }

  return {
    find,
    async place({ toNumber, agentId }) {
      const body = JSON.stringify({
        to_number: toNumber,
        agent_id: agentId,
        max_duration_seconds: LONGEST_CALL_SECONDS,
      });
      const response = await ask('/outbound/calls', { method: 'POST', body });
      return callEnvelopeSchema.parse(await response.json()).call.id;
    },
    async end(callId) {
      const response = await ask(`/outbound/calls/${callId}/end`, { method: 'POST' });
      await response.body?.cancel();
    },
    async ended(callId) {
      for (;;) {
        const call = await find(callId);
        if (call.status === 'ended' && call.recording_status !== 'pending') return call;
        await sleep(POLL_MS);
      }
    },
    async recording(callId) {
      const response = await ask(`/calls/${callId}/recording`);
      return Buffer.from(await response.arrayBuffer());
    },
  };
}
