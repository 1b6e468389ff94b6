import {
  privatePgbouncer,
  privatePostgres,
  replicatedPostgres,
  type PrivateServer,
  type ReplicatedPostgres,
} from '@outdial/testkit';

/**
 * What a stack has besides two APIs on one Postgres: `replicated`, a synchronous standby, and processes that know both hosts;
 * `pooled`, PgBouncer in transaction mode; `three-apis`, one more API.
 */
export type Layout = 'single' | 'replicated' | 'pooled' | 'three-apis';

export interface StackPostgres {
  /** For the processes of the product. */
  readonly url: string;
  /** Ours, without PgBouncer. */
  readonly server: PrivateServer;
  readonly replicated: ReplicatedPostgres | null;
  readonly pgbouncer: PrivateServer | null;
  close(): Promise<void>;
}

/** `migrate`: by the migrator of another version. */
export async function openPostgres(
  layout: Layout,
  migrate: ((databaseUrl: string) => Promise<unknown>) | null,
): Promise<StackPostgres> {
  if (layout === 'replicated') return openReplicated();
  const server = await privatePostgres({ profile: 'fast', ...(migrate && { migrate }) });
  if (layout !== 'pooled') {
    return { url: server.url, server, replicated: null, pgbouncer: null, close: () => server.close() };
  }
  try {
    const pgbouncer = await privatePgbouncer(server.url);
    const close = async () => {
      await pgbouncer.close();
      await server.close();
    };
    return { url: pgbouncer.url, server, replicated: null, pgbouncer, close };
  } catch (error) {
    await server.close();
    throw error;
  }
}

const onlyWhole = () => Promise.reject(new Error('these faults strike one server of the two: see `replicated`'));

async function openReplicated(): Promise<StackPostgres> {
  const replicated = await replicatedPostgres();
  const { url } = replicated;
  const server: PrivateServer = {
    url,
    stop: onlyWhole,
    kill: onlyWhole,
    // A superseded primary must not come back when a fault is over.
    start: () => Promise.resolve(),
    pause: onlyWhole,
    resume: () => Promise.resolve(),
    close: () => replicated.close(),
  };
  return { url, server, replicated, pgbouncer: null, close: () => replicated.close() };
}
