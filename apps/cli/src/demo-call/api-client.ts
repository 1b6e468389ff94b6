import {
  callEnvelopeSchema,
  callEventListSchema,
  errorBodySchema,
  type CallBody,
  type CallEventBody,
  type CallId,
} from '@outdial/contracts';
import { pause, type Clock } from '@outdial/kernel';
import type { z } from 'zod';
import { CliError } from '../cli-error.ts';

export interface NewCall {
  readonly to_number: string;
  readonly agent_id: string;
  readonly from_number: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A client of the product's own HTTP interface. */
export interface ApiClient {
  /** Retries while the service is unavailable; the idempotency key keeps that to one call. */
  createCall(call: NewCall, idempotencyKey: string): Promise<CallBody>;
  /**
   * Resolves after one successful request, or after a few failed ones. A new process's first request connects to both
   * stores and may take longer than a request's limit, so it should not be a user's.
   */
  warmUp(): Promise<void>;
  getCall(id: CallId): Promise<CallBody>;
  listEvents(id: CallId): Promise<readonly CallEventBody[]>;
}

const REQUEST_LIMIT_MS = 5_000;
const RETRY_PAUSE_MS = 100;
const RETRIES = 100;
const WARM_UP_ATTEMPTS = 20;

export function createApiClient(options: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: Clock;
}): ApiClient {
  const { baseUrl, apiKey, clock } = options;

  const get = (path: string) =>
    fetch(`${baseUrl}${path}`, { headers: { 'X-API-Key': apiKey }, signal: AbortSignal.timeout(REQUEST_LIMIT_MS) });

  return {
    async createCall(call, idempotencyKey) {
      for (let attempt = 1; ; attempt += 1) {
        const response = await fetch(`${baseUrl}/outbound/calls`, {
          method: 'POST',
          headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
          body: JSON.stringify(call),
          signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
        });
        if (response.status === 503 && attempt < RETRIES) {
          await response.body?.cancel();
          await pause(clock, RETRY_PAUSE_MS);
          continue;
        }
        return (await parse(response, callEnvelopeSchema)).call;
      }
    },
    async warmUp() {
      for (let attempt = 1; attempt <= WARM_UP_ATTEMPTS; attempt += 1) {
        const response = await get('/account').catch(() => undefined);
        await response?.body?.cancel();
        if (response?.ok) return;
        await pause(clock, RETRY_PAUSE_MS);
      }
    },
    async getCall(id) {
      return (await parse(await get(`/outbound/calls/${id}`), callEnvelopeSchema)).call;
    },
    async listEvents(id) {
      return (await parse(await get(`/outbound/calls/${id}/events`), callEventListSchema)).events;
    },
  };
}

async function parse<Schema extends z.ZodType>(response: Response, schema: Schema): Promise<z.output<Schema>> {
  const body: unknown = await response.json();
  if (response.ok) return schema.parse(body);
  const error = errorBodySchema.safeParse(body).data?.error;
  throw new CliError(error ? `${error.code}: ${error.message}` : `The API answered ${response.status}.`);
}
