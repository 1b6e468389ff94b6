import { freePort } from '@outdial/testkit';
import { startSubprocess } from '../processes.ts';
import type { Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import type { Stage } from '../stage.ts';
import { measureBacklog } from './webhooks/backlog.ts';
import { measureDelay } from './webhooks/delay.ts';
import { measureRate } from './webhooks/rate.ts';

const ENDPOINTS = 20;

/** Webhooks: how soon, how many, and that receivers which hang and a large backlog slow nothing. */
export async function measureWebhooks(
  stage: Stage,
  _account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const ports = await Promise.all(Array.from({ length: ENDPOINTS }, freePort));
  const env = { PORTS: ports.join(',') };
  const receivers = await startSubprocess({ entry: 'bench/src/webhooks/receivers.ts', env });
  try {
    return [
      ...(await measureDelay(stage, ports, say)),
      ...(await measureRate(stage, ports, say)),
      ...(await measureBacklog(stage, say)),
    ];
  } finally {
    await receivers.stop();
  }
}
