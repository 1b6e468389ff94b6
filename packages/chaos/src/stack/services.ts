import type { CarrierName } from './numbers.ts';
import { prepareService, type Service, type ServicePlan } from './service.ts';

/** Some faults need a third worker. */
const WORKERS = 3;
/** While a process is replaced, its successor runs beside it. */
const WORKERS_REPLACED = 2;
const FIRST_RTP_PORT = 10_000;
const RTP_PORTS_EACH = 1_000;
/** Seals the credentials of the simulated providers, and the secrets of webhooks. */
export const SECRET_KEY_HEX = '00'.repeat(32);
/** Short, so that a stopping worker ends within a fault. */
const DRAIN_SECONDS = 20;
/** How long a stopping API still answers. A balancer that asks five times a second needs less. */
const SHUTDOWN_DELAY_SECONDS = 3;

export interface ServicesPlan extends Pick<
  ServicePlan,
  'redisUrl' | 'directRedis' | 'databaseUrl' | 'logDir' | 'root'
> {
  readonly carrier: CarrierName;
  /** The simulated network's journal of all telephones. */
  readonly journalPath: string;
  /** The disk counts as full while this file exists. */
  readonly diskFullPath: string;
  readonly pepperHex: string;
  readonly apiCount: number;
  readonly workerCount?: number | undefined;
}

/** All processes of the product, each with its own wires. None is started yet. */
export async function prepareServices(
  plan: ServicesPlan,
): Promise<{ readonly apis: readonly Service[]; readonly workers: readonly Service[] }> {
  const { carrier, redisUrl, directRedis, databaseUrl, logDir, root, apiCount, journalPath, diskFullPath } = plan;
  const workerCount = plan.workerCount ?? (root === undefined ? WORKERS : WORKERS_REPLACED);
  const places = { redisUrl, directRedis, databaseUrl, logDir, root };
  const shared = { OUTDIAL_DATA_DIR: logDir, CHAOS_DISK_FULL_FILE: diskFullPath };
  const apis = Array.from({ length: apiCount }, (_, index) => prepareApi(plan, `api${index + 1}`));
  const workers = Array.from({ length: workerCount }, (_, index) =>
    prepareService({
      ...places,
      name: `worker${index + 1}`,
      entry: 'apps/worker/src/main.ts',
      env: (port) => ({
        ...shared,
        ...(carrier === 'sip' ? sipEnv(index) : simulatedEnv(journalPath)),
        OUTDIAL_SECRET_KEY: SECRET_KEY_HEX,
        // Of the receivers of webhooks and the simulated providers.
        OUTDIAL_EGRESS_ALLOW: '127.0.0.1',
        OUTDIAL_WORKER_HEALTH_PORT: String(port),
        OUTDIAL_WORKER_CONCURRENCY: '400',
        OUTDIAL_DRAIN_SECONDS: String(DRAIN_SECONDS),
      }),
    }),
  );
  return { apis: await Promise.all(apis), workers: await Promise.all(workers) };
}

/** An API with its own wires. It is not started yet. */
export function prepareApi(
  {
    redisUrl,
    directRedis,
    databaseUrl,
    logDir,
    root,
    diskFullPath,
    pepperHex,
  }: Omit<ServicesPlan, 'carrier' | 'journalPath' | 'apiCount'>,
  name: string,
): Promise<Service> {
  return prepareService({
    redisUrl,
    directRedis,
    databaseUrl,
    logDir,
    root,
    name,
    entry: 'apps/api/src/main.ts',
    env: (port) => ({
      OUTDIAL_DATA_DIR: logDir,
      CHAOS_DISK_FULL_FILE: diskFullPath,
      PORT: String(port),
      OUTDIAL_KEY_PEPPER: pepperHex,
      OUTDIAL_DEFAULT_POLICY: 'open',
      OUTDIAL_SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_SECONDS),
    }),
  });
}

function simulatedEnv(journalPath: string): Readonly<Record<string, string>> {
  return { OUTDIAL_SIMULATED_MEDIA: 'off', OUTDIAL_SIMULATED_JOURNAL: journalPath };
}

function sipEnv(index: number): Readonly<Record<string, string>> {
  const firstPort = FIRST_RTP_PORT + index * RTP_PORTS_EACH;
  return {
    OUTDIAL_CARRIER: 'sip',
    SIP_PORT: '0',
    SIP_RTP_PORTS: `${firstPort}-${firstPort + RTP_PORTS_EACH - 1}`,
  };
}
