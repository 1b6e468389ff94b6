import { freePort } from '@outdial/testkit';
import { startSubprocess } from '../processes.ts';
import type { Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import type { Stage } from '../stage.ts';
import { measureBacklog } from './webhooks/backlog.ts';
import { measureDelay } from './webhooks/delay.ts';
import { measureRate } from './webhooks/rate.ts';

/** Webhooks: how soon, how many, and that receivers which hang and a large backlog slow nothing. */
export async function measureWebhooks(
  stage: Stage,
  _account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const port = await freePort();
  const env = { PORT: String(port) };
  const receivers = await startSubprocess({ entry: 'bench/src/webhooks/receivers.ts', env });
  try {
    return [
      ...(await measureDelay(stage, port, say)),
      ...(await measureRate(stage, port, say)),
      ...(await measureBacklog(stage, say)),
    ];
  } finally {
    await receivers.stop();
  }
}
