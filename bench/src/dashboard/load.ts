import { setTimeout as sleep } from 'node:timers/promises';
import type { DashboardStage } from './stage.ts';

/** Answers, and hangs up three seconds later: each call changes five times within about five seconds. */
const TO_NUMBER = '+12025550105';
const CHANGES_PER_CALL = 5;

export interface SteadyLoad {
  /** The number of calls placed so far. */
  placed(): number;
  stop(): Promise<void>;
}

/** Places calls at a steady rate, which gives the wanted number of changes per second once the first have ended. */
export function beginSteadyLoad({ url, account }: DashboardStage, changesPerSecond: number): SteadyLoad {
  const gapMs = (1_000 * CHANGES_PER_CALL) / changesPerSecond;
  const stopping = new AbortController();
  let placed = 0;
  const running = place();

  async function place(): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const beganMs = performance.now();
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      // Scheduled from the start time, so that the delay of a slow answer is made up for.
      await sleep(Math.max(0, beganMs + count * gapMs - performance.now()));
      const one = placeOne().finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await Promise.all(underWay);
  }

  async function placeOne(): Promise<void> {
    const response = await fetch(`${url}/api/v1/outbound/calls`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': account.apiKey },
      body: JSON.stringify({ to_number: TO_NUMBER, agent_id: account.agentId }),
    });
    await response.arrayBuffer();
    if (response.status === 201) placed += 1;
  }

  return {
    placed: () => placed,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
