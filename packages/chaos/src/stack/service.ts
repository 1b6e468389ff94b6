import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parsePostgresUrl } from '@outdial/kernel';
import { freePort } from '@outdial/testkit';
import { openFaultProxy, type Endpoint, type FaultProxy } from './fault-proxy.ts';
import { startSubprocess, type Subprocess } from './subprocess.ts';

/** An API or a worker, with its own connections to the stores, each through its own proxy. */
export interface Service {
  readonly name: string;
  /** Of the API, or of the worker's health endpoint. A successor has another. */
  readonly url: string;
  readonly redisWire: FaultProxy;
  /** Unused by a process that knows several hosts: it connects to them itself. */
  readonly databaseWire: FaultProxy;
  readonly pid: number;
  isRunning(): boolean;
  /** SIGKILL. Resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. @returns its exit code once it is gone. */
  stop(): Promise<number | null>;
  pause(): void;
  resume(): void;
  /** Blocks its event loop for that long. */
  block(forMs: number): void;
  /** Its model thread dies, or blocks for a minute; the others go on. */
  strikeModels(how: 'dies' | 'blocks'): Promise<void>;
  /** Sets its wall clock; the monotonic clock is unaffected. */
  setClock(to: ClockState): Promise<void>;
  /** Starts it, and does not wait: it may never be ready. */
  launch(): void;
  /** Starts or restarts it. Resolves once it is ready. */
  start(): Promise<void>;
  /**
   * Replaces it as an orchestrator does: starts a successor beside it on another port, and once that is ready sends SIGTERM.
   * @param root of the tree that the successor, and every later start, runs from; undefined is this one
   * @returns the exit code of the process that was replaced, once it is gone
   */
  replace(root: string | undefined): Promise<number | null>;
  /** @throws if it ends before, or is not ready after minutes. */
  untilReady(): Promise<void>;
  /** Restores its wires and its clock, and starts or continues it. Resolves once it is ready. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export type ClockState = 'right' | 'an hour ahead' | 'an hour back';

export interface ServicePlan {
  readonly name: string;
  readonly entry: string;
  /** Of the tree of another version that it starts from. */
  readonly root?: string | undefined;
  readonly redisUrl: string;
  /** The settings of Redis for a process that finds its servers itself. No proxy stands between. */
  readonly directRedis?: Readonly<Record<string, string>> | undefined;
  readonly databaseUrl: string;
  readonly logDir: string;
  /** Its environment beside the URLs of the stores, for the port that it listens on. */
  readonly env: (port: number) => Readonly<Record<string, string>>;
}

const READY_POLL_MS = 50;
/** A safety limit: a process that hangs at its start would block the following faults. */
const READY_WITHIN_MS = 300_000;

export async function prepareService(plan: ServicePlan): Promise<Service> {
  const { name, entry } = plan;
  const redisWire = await openFaultProxy(endpointOf(plan.redisUrl));
  const [database, ...otherHosts] = hostsIn(plan.databaseUrl);
  const databaseWire = await openFaultProxy(endpointOf(database));
  let { root } = plan;
  let port = await freePort();
  const clockPath = join(plan.logDir, `${name}.clock`);
  const modelsPath = join(plan.logDir, `${name}.models`);
  const env = (ownPort: number) => ({
    CHAOS_CLOCK_FILE: clockPath,
    CHAOS_MODELS_FILE: modelsPath,
    ...plan.env(ownPort),
    ...(plan.directRedis ?? { REDIS_URL: through(plan.redisUrl, redisWire) }),
    DATABASE_URL: otherHosts.length === 0 ? through(database, databaseWire) : plan.databaseUrl,
  });
  let running: Subprocess | undefined;
  const current = (): Subprocess => {
    if (running === undefined || running.hasEnded()) throw new Error(`${name} is not running`);
    return running;
  };
  const isRunning = () => running !== undefined && !running.hasEnded();

  const spawn = (from: string | undefined, ownPort: number) =>
    startSubprocess({ name, entry, root: from, env: env(ownPort), logPath: join(plan.logDir, `${name}.log`) });

  async function untilReady(subprocess = current(), at = urlOf(port)): Promise<void> {
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while (!(await isReady(at))) {
      if (subprocess.hasEnded()) throw new Error(`${name} ended before it was ready: see ${plan.logDir}`);
      if (performance.now() > deadlineMs) throw new Error(`${name} is not getting ready: see ${plan.logDir}`);
      await sleep(READY_POLL_MS);
    }
  }

  function launch(): void {
    running = spawn(root, port);
  }

  async function start(): Promise<void> {
    launch();
    await untilReady();
  }

  async function replace(successorRoot: string | undefined): Promise<number | null> {
    const predecessor = current();
    const successorPort = await freePort();
    const successor = spawn(successorRoot, successorPort);
    // Until it is ready, requests go to the predecessor.
    try {
      await untilReady(successor, urlOf(successorPort));
    } catch (error) {
      successor.signal('SIGKILL');
      throw error;
    }
    [running, root, port] = [successor, successorRoot, successorPort];
    predecessor.signal('SIGTERM');
    return predecessor.ended;
  }

  async function setClock(to: ClockState): Promise<void> {
    await Promise.all([rm(`${clockPath}.ahead`, { force: true }), rm(`${clockPath}.back`, { force: true })]);
    if (to === 'an hour ahead') await writeFile(`${clockPath}.ahead`, '');
    if (to === 'an hour back') await writeFile(`${clockPath}.back`, '');
  }

  return {
    name,
    get url() {
      return urlOf(port);
    },
    redisWire,
    databaseWire,
    get pid() {
      return current().pid;
    },
    isRunning,
    untilReady: () => untilReady(),
    pause: () => current().signal('SIGSTOP'),
    resume: () => current().signal('SIGCONT'),
    block: (forMs) => current().block(forMs),
    strikeModels: (how) => writeFile(`${modelsPath}.${how}`, ''),
    setClock,
    launch,
    start,
    replace,
    async kill() {
      const subprocess = current();
      subprocess.signal('SIGKILL');
      await subprocess.ended;
    },
    async stop() {
      const subprocess = current();
      subprocess.signal('SIGTERM');
      return subprocess.ended;
    },
    async restore() {
      redisWire.heal();
      databaseWire.heal();
      await setClock('right');
      if (!isRunning()) return start();
      current().signal('SIGCONT');
      return untilReady();
    },
    async close() {
      if (isRunning()) {
        running?.signal('SIGKILL');
        await running?.ended;
      }
      await Promise.all([redisWire.close(), databaseWire.close()]);
    },
  };
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

function hostsIn(databaseUrl: string): readonly [string, ...string[]] {
  const parsed = parsePostgresUrl(databaseUrl);
  const [first, ...others] = 'problem' in parsed ? [] : parsed.hosts.map(({ url }) => url);
  if (first === undefined) throw new Error('a database has a URL');
  return [first, ...others];
}

export function endpointOf(url: string): Endpoint {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

function through(url: string, proxy: FaultProxy): string {
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String(proxy.port);
  return proxied.href;
}
