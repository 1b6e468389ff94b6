import { changedCallSchema, type CallStatus, type ChangedCall } from '@outdial/contracts';
import type { DashboardStage } from './stage.ts';

export interface Follower {
  /** Milliseconds from a change of a call, by the product's timestamp, until it was read here. */
  readonly latenciesMs: readonly number[];
  /** The number of calls in the stream, counting repeats. */
  streamed(): number;
  stop(): void;
}

/** Reads the stream of changes as a browser does, and records each. */
export async function follow({ url, account, headers }: DashboardStage): Promise<Follower> {
  const stopping = new AbortController();
  const response = await fetch(`${url}/api/dashboard/accounts/${account.accountId}/changes`, {
    headers: { ...headers, Accept: 'text/event-stream' },
    signal: stopping.signal,
  });
  if (!response.ok || !response.body) throw new Error(`the stream was answered with ${response.status}`);
  const latenciesMs: number[] = [];
  const statuses = new Map<string, CallStatus>();
  let streamed = 0;

  function hear(call: ChangedCall, nowMs: number): void {
    streamed += 1;
    if (statuses.get(call.id) === call.status) return;
    statuses.set(call.id, call.status);
    const changedAt = changedAtOf(call);
    if (changedAt !== null) latenciesMs.push(nowMs - Date.parse(changedAt));
  }

  void readLines(response.body, (line) => {
    if (!line.startsWith('data: ') || line === 'data: {}') return;
    hear(changedCallSchema.parse(JSON.parse(line.slice('data: '.length))), performance.timeOrigin + performance.now());
  }).catch(() => undefined);
  return { latenciesMs, streamed: () => streamed, stop: () => stopping.abort() };
}

/** When the call entered its current state; ringing has no timestamp. */
function changedAtOf(call: ChangedCall): string | null {
  switch (call.status) {
    case 'scheduled':
    case 'queued':
      return call.created_at;
    case 'dialing':
      return call.started_at;
    case 'ringing':
      return null;
    case 'in_progress':
      return call.answered_at;
    case 'ended':
      return call.ended_at;
    default:
      return call.status satisfies never;
  }
}

async function readLines(body: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  }
}
