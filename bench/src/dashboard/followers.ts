import { changedCallSchema, type CallStatus, type ChangedCall } from '@outdial/contracts';
import type { DashboardStage } from './stage.ts';

export interface Follower {
  /** From when a call changed, as the product wrote it down, to when that was read here; milliseconds. */
  readonly latenciesMs: readonly number[];
  /** Calls told, however often. */
  told(): number;
  stop(): void;
}

/** Reads the stream of changes as a browser does, and looks at each. */
export async function follow({ url, account, headers }: DashboardStage): Promise<Follower> {
  const stopping = new AbortController();
  const response = await fetch(`${url}/api/dashboard/accounts/${account.accountId}/changes`, {
    headers: { ...headers, Accept: 'text/event-stream' },
    signal: stopping.signal,
  });
  if (!response.ok || !response.body) throw new Error(`the stream was answered ${response.status}`);
  const latenciesMs: number[] = [];
  const statuses = new Map<string, CallStatus>();
  let told = 0;

  function hear(call: ChangedCall, nowMs: number): void {
    told += 1;
    if (statuses.get(call.id) === call.status) return;
    statuses.set(call.id, call.status);
    const changedAt = changedAtOf(call);
    if (changedAt !== null) latenciesMs.push(nowMs - Date.parse(changedAt));
  }

  void readLines(response.body, (line) => {
    if (!line.startsWith('data: ') || line === 'data: {}') return;
    hear(changedCallSchema.parse(JSON.parse(line.slice('data: '.length))), performance.timeOrigin + performance.now());
  }).catch(() => undefined);
  return { latenciesMs, told: () => told, stop: () => stopping.abort() };
}

/** When it came into the state that it is in; of ringing nothing is written down. */
function changedAtOf(call: ChangedCall): string | null {
  switch (call.status) {
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
