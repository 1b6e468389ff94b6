import { privatePostgres, privateRedis, testStores, type PrivateServer } from '@outdial/testkit';
import { killChildWorkers, startChildWorker, type ChildWorker } from './child-worker.ts';
import { metricsUrlOf } from './scrape.ts';
import { openStage, type Stage } from './stage.ts';

const REAL_TIME = { OUTDIAL_SIMULATED_MEDIA: 'off', OUTDIAL_SIMULATED_SPEED: '1' };

/** Stages of one test, with workers that tell their metrics. */
export interface MeteredStages {
  redis(): Promise<PrivateServer>;
  postgres(): Promise<PrivateServer>;
  /** On stores of this test's own, unless they are given. */
  open(stores?: { readonly redis?: PrivateServer; readonly postgres?: PrivateServer }): Promise<Stage>;
  /** Without sound, and no faster than life, unless the environment says otherwise. Resolves once it takes calls. */
  startWorker(
    stage: Stage,
    environment?: Readonly<Record<string, string>>,
  ): Promise<{ readonly worker: ChildWorker; readonly url: string }>;
  close(): Promise<void>;
}

export function meteredStages(): MeteredStages {
  const closers: (() => Promise<unknown>)[] = [];

  async function owned<Server extends { close(): Promise<void> }>(opening: Promise<Server>): Promise<Server> {
    const server = await opening;
    closers.push(() => server.close());
    return server;
  }

  return {
    redis: () => owned(privateRedis()),
    postgres: () => owned(privatePostgres()),
    async open({ redis, postgres } = {}) {
      const shared = await owned(testStores());
      const redisUrl = redis?.url ?? shared.redisUrl;
      return owned(openStage({ stores: { redisUrl, databaseUrl: postgres?.url ?? shared.databaseUrl } }));
    },
    async startWorker(stage, environment = REAL_TIME) {
      const worker = startChildWorker(stage.environment({ ...environment, WORKER_METRICS_PORT: '0' }));
      const url = await metricsUrlOf(worker);
      await worker.said('taking calls');
      return { worker, url };
    },
    async close() {
      killChildWorkers();
      for (const close of closers.toReversed()) await close();
    },
  };
}
