import type { WalTimelineState } from '@outdial/calls';
import type { Reply } from '../../http/reply.ts';

type StoreState = 'up' | 'away';

/** What creating a call needs. Each part is checked on every request, and answers within half a second. */
export interface Readiness {
  /** `away` also while Postgres accepts no writes or confirms no commits. */
  readonly postgres: StoreState;
  readonly redis: StoreState;
  /** Closed while it is rebuilt from Postgres; `unknown` while Redis is away. */
  readonly gate: 'open' | 'closed' | 'unknown';
  /** As in `WalTimelineState`; `unknown` while Postgres or Redis is away. */
  readonly timeline: WalTimelineState | 'unknown';
  /** False during the first moments of a process, until its warm-up walk has succeeded. */
  readonly warm: boolean;
}

/**
 * `GET /healthz`: the process runs and answers. It does not check the stores: restarting the process would not bring
 * them back.
 */
export async function answerHealth(): Promise<Reply> {
  return { status: 200, body: { status: 'ok' } };
}

/** `GET /readyz`: whether calls can be created, and if not, which store is away or was superseded. */
export function answerReadiness(readiness: Readiness): Reply {
  const { postgres, redis, gate, timeline, warm } = readiness;
  const isReady = postgres === 'up' && redis === 'up' && gate === 'open' && timeline === 'current' && warm;
  return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'not_ready', ...readiness } };
}
