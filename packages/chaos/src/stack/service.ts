import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@outdial/testkit';
import { openFaultProxy, type Endpoint, type FaultProxy } from './fault-proxy.ts';
import { startSubprocess, type Subprocess } from './subprocess.ts';

/** An API or a worker, with connections of its own to the stores, each through a proxy of its own. */
export interface Service {
  readonly name: string;
  /** Of the API, or of the worker's health. */
  readonly url: string;
  readonly redisWire: FaultProxy;
  readonly databaseWire: FaultProxy;
  readonly pid: number;
  isRunning(): boolean;
  /** SIGKILL. Resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. @returns its exit code once it is gone. */
  stop(): Promise<number | null>;
  pause(): void;
  resume(): void;
  /** Its event loop does nothing for so long. */
  block(forMs: number): void;
  /** Its wall clock goes on from there; the monotonic one knows nothing of it. */
  setClock(to: ClockState): Promise<void>;
  /** Starts it, also again. Resolves once it is ready. */
  start(): Promise<void>;
  /** @throws if it ends before, or is not ready after minutes. */
  untilReady(): Promise<void>;
  /** Mends its wires and its clock, starts it or lets it go on. Resolves once it is ready. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export type ClockState = 'right' | 'an hour ahead' | 'an hour back';

export interface ServicePlan {
  readonly name: string;
  readonly entry: string;
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly logDir: string;
  /** What it needs beside the URLs of the stores, given the port that it is to listen on. */
  readonly env: (port: number) => Readonly<Record<string, string>>;
}

const READY_POLL_MS = 50;
/** Against hanging alone: a process that never gets ready must not keep the faults after this one from being run. */
const READY_WITHIN_MS = 300_000;

export async function prepareService(plan: ServicePlan): Promise<Service> {
  const { name, entry } = plan;
  const redisWire = await openFaultProxy(endpointOf(plan.redisUrl));
  const databaseWire = await openFaultProxy(endpointOf(plan.databaseUrl));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const clockPath = join(plan.logDir, `${name}.clock`);
  const env = {
    CHAOS_CLOCK_FILE: clockPath,
    ...plan.env(port),
    REDIS_URL: through(plan.redisUrl, redisWire),
    DATABASE_URL: through(plan.databaseUrl, databaseWire),
  };
  let running: Subprocess | undefined;
  const current = (): Subprocess => {
    if (running === undefined || running.hasEnded()) throw new Error(`${name} does not run`);
    return running;
  };
  const isRunning = () => running !== undefined && !running.hasEnded();

  async function untilReady(): Promise<void> {
    const subprocess = current();
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while (!(await isReady(url))) {
      if (subprocess.hasEnded()) throw new Error(`${name} ended before it was ready: see ${plan.logDir}`);
      if (performance.now() > deadlineMs) throw new Error(`${name} does not get ready: see ${plan.logDir}`);
      await sleep(READY_POLL_MS);
    }
  }

  async function start(): Promise<void> {
    running = startSubprocess({ name, entry, env, logPath: join(plan.logDir, `${name}.log`) });
    await untilReady();
  }

  async function setClock(to: ClockState): Promise<void> {
    await Promise.all([rm(`${clockPath}.ahead`, { force: true }), rm(`${clockPath}.back`, { force: true })]);
    if (to === 'an hour ahead') await writeFile(`${clockPath}.ahead`, '');
    if (to === 'an hour back') await writeFile(`${clockPath}.back`, '');
  }

  return {
    name,
    url,
    redisWire,
    databaseWire,
    get pid() {
      return current().pid;
    },
    isRunning,
    untilReady,
    pause: () => current().signal('SIGSTOP'),
    resume: () => current().signal('SIGCONT'),
    block: (forMs) => current().block(forMs),
    setClock,
    start,
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

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
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
