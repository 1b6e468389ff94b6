import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callEnvelopeSchema, type CallBody } from '@outdial/contracts';
import { freePort, serviceArgs } from '@outdial/testkit';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const POLL_MS = 100;

/** The API in its own process, called as a customer calls it. */
export interface ChildApi {
  place(body: Readonly<Record<string, unknown>>): Promise<string>;
  /** The API's first answer to a request for a call, whatever it is. */
  placeOnce(body: Readonly<Record<string, unknown>>, idempotencyKey: string): Promise<Response>;
  /** Resolves once the call has ended, with its recording if it has one. */
  ended(callId: string): Promise<CallBody>;
  /** Null if the API serves no metrics. */
  recording(callId: string): Promise<Buffer | null>;
  /** Any request of a customer. A 503 is retried. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  readonly metricsUrl: string;
  /** Everything that it has written, with `keepsOutput`. */
  output(): string;
  close(): Promise<void>;
}

/** @throws if it exits before it answers. */
export async function startChildApi(
  apiKey: string,
  environment: Readonly<Record<string, string>>,
  { keepsOutput = false }: { readonly keepsOutput?: boolean } = {},
): Promise<ChildApi> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, serviceArgs('apps/api/src/main.ts'), {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'error',
      // One key polls many calls; these tests are not about its limit.
      OUTDIAL_KEY_REQUESTS_PER_SECOND: '100000',
      OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND: '100000',
      OUTDIAL_DEFAULT_POLICY: 'open',
      ...environment,
    },
    stdio: keepsOutput ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += String(text)));
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`the API ended with code ${child.exitCode} before it answered`);
    await sleep(POLL_MS);
  }

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    // Retried with the same key, however often: a call that was accepted after all is not placed again.
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': randomUUID() };
    for (;;) {
      const response = await fetch(`${url}/api/v1${path}`, { ...init, headers });
      if (response.status !== 503) return response;
      await response.body?.cancel();
      await sleep(POLL_MS);
    }
  }

  /** A busy machine may report a trunk as silent for a while: a 429 asks for a retry, and is retried. */
  async function place(body: Readonly<Record<string, unknown>>): Promise<string> {
    for (;;) {
      const response = await ask('/outbound/calls', { method: 'POST', body: JSON.stringify(body) });
      if (response.status !== 429) return (await callOf(response)).id;
      await response.body?.cancel();
      await sleep(POLL_MS);
    }
  }

  return {
    output: () => output,
    ask,
    place,
    placeOnce: (body, idempotencyKey) =>
      fetch(`${url}/api/v1/outbound/calls`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': idempotencyKey },
      }),
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    async ended(callId) {
      for (;;) {
        const call = await callOf(await ask(`/outbound/calls/${callId}`));
        if (call.status === 'ended' && call.recording_status !== 'pending') return call;
        await sleep(POLL_MS);
      }
    },
    async recording(callId) {
      const response = await ask(`/calls/${callId}/recording`);
      if (response.status === 404) return null;
      if (!response.ok) throw new Error(`the API answered ${response.status}: ${await response.text()}`);
      return Buffer.from(await response.arrayBuffer());
    },
    async close() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function callOf(response: Response): Promise<CallBody> {
  if (!response.ok) throw new Error(`the API answered ${response.status}: ${await response.text()}`);
  return callEnvelopeSchema.parse(await response.json()).call;
}
