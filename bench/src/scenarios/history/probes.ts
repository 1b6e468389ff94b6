import { median } from '../../report.ts';
import type { History } from '../../seed-history.ts';

const SAMPLES = 150;

/** A request whose latency must not depend on the number of stored calls. */
export interface Probe {
  readonly name: string;
  readonly request: (at: Site) => {
    readonly path: string;
    readonly init?: { readonly method: string; readonly headers: Record<string, string>; readonly body: string };
  };
}

export interface Site {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly history: History;
  readonly agentId: string;
  /** A cursor to the last page of the account's calls. */
  readonly deepCursor: string;
}

const list = (name: string, parameters: (at: Site) => Record<string, string>): Probe => ({
  name: `list: ${name}`,
  request: (at) => ({ path: `/outbound/calls?${new URLSearchParams({ limit: '20', ...parameters(at) }).toString()}` }),
});

export const PROBES: readonly Probe[] = [
  {
    name: 'create',
    request: (at) => ({
      path: '/outbound/calls',
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to_number: '+12025550105', agent_id: at.agentId }),
      },
    }),
  },
  { name: 'read', request: (at) => ({ path: `/outbound/calls/${at.history.someCallId}` }) },
  { name: 'account', request: () => ({ path: '/account' }) },
  list('no filter', () => ({})),
  list('deepest cursor', (at) => ({ cursor: at.deepCursor })),
  list('status=ended', () => ({ status: 'ended' })),
  list('status=queued', () => ({ status: 'queued' })),
  list('agent_id', (at) => ({ agent_id: at.agentId })),
  list('agent_id without calls', (at) => ({ agent_id: at.history.idleAgentId })),
  list('to_number', (at) => ({ to_number: at.history.someNumber })),
  list('ended_reason', () => ({ ended_reason: 'busy' })),
  list('a rare ended_reason', () => ({ ended_reason: 'no_audio' })),
  list('created_before', (at) => ({ created_before: at.history.middle })),
  list('created_after', (at) => ({ created_after: at.history.middle })),
];

/** Median of sequential requests over one connection, in milliseconds. */
export async function latency(probe: Probe, at: Site): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const { path, init } = probe.request(at);
    const startedMs = performance.now();
    const response = await fetch(`${at.baseUrl}${path}`, {
      ...init,
      headers: { ...init?.headers, 'x-api-key': at.apiKey },
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`${probe.name} was answered with ${response.status}: ${body}`);
    if (sample >= SAMPLES / 5) samples.push(performance.now() - startedMs);
  }
  return median(samples);
}
