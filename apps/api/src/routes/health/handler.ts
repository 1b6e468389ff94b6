import type { WalTimelineState } from '@outdial/calls';
import { invalidRequest } from '../../http/api-error.ts';
import type { Reply } from '../../http/reply.ts';
import type { OpenHandler } from '../../http/serve.ts';

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

export interface ReadinessDeps {
  readonly checkReadiness: () => Promise<Readiness>;
  /** The process ends, and accepts requests until load balancers send them elsewhere. */
  readonly isDraining: () => boolean;
}

/**
 * `GET /readyz`: whether calls can be created. `?stores=ignore`: whether the process accepts requests, for load balancers:
 * from its warm-up until it drains.
 */
export function createReadinessAnswer({ checkReadiness, isDraining }: ReadinessDeps): OpenHandler {
  let hasStarted = false;

  /** Asks the stores only until the process has started. */
  async function answerBalancer(): Promise<Reply> {
    hasStarted ||= !isStarting(await checkReadiness());
    return hasStarted ? { status: 200, body: { status: 'ready' } } : { status: 503, body: { status: 'starting' } };
  }

  return async function answer(request) {
    const ignoresStores = readStores(request.url ?? '');
    if (isDraining()) return { status: 503, body: { status: 'draining' } };
    return ignoresStores ? answerBalancer() : answerReadiness(await checkReadiness());
  };
}

/**
 * Stores that are away are away for every process. One that starts then counts as started: with no process behind the
 * balancer, clients would not get the answer that says so.
 */
function isStarting({ warm, ...stores }: Readiness): boolean {
  return !warm && areUsable(stores);
}

/** Other parameters are ignored: some probes add their own. @throws ApiError */
function readStores(url: string): boolean {
  const stores = new URLSearchParams(url.split('?', 2)[1] ?? '').getAll('stores');
  if (stores.length === 0) return false;
  if (stores.length > 1 || stores[0] !== 'ignore')
    throw invalidRequest([{ param: 'stores', message: 'must be `ignore`' }]);
  return true;
}

/** Which store is away or was superseded, if calls cannot be created. */
export function answerReadiness(readiness: Readiness): Reply {
  const isReady = areUsable(readiness) && readiness.warm;
  return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'not_ready', ...readiness } };
}

function areUsable({ postgres, redis, gate, timeline }: Omit<Readiness, 'warm'>): boolean {
  return postgres === 'up' && redis === 'up' && gate === 'open' && timeline === 'current';
}
