import { setTimeout as sleep } from 'node:timers/promises';
import { startSteadyLoad } from '../load/steady-load.ts';
import type { Fault } from './fault.ts';
import { callsOf, openCallsOf } from './observe.ts';

const CALLS_PER_SECOND = 4;
/** Shorter than the workers' drain time. */
const TALK_SECONDS = 10;

/** Each worker in turn is asked to stop under load, and restarted once it has. */
export const rollingRestart: Fault = {
  name: 'rolling-restart',
  expectation: 'no live call is cut, and none is lost',
  carrier: 'simulated',
  async run({ stack, clients, random }) {
    const account = await stack.account();
    const newCall = () => ({ toNumber: stack.number('silent'), maxDurationSeconds: TALK_SECONDS });
    const load = startSteadyLoad({ clients, account, callsPerSecond: CALLS_PER_SECOND, newCall, random });
    const violations: string[] = [];
    let hit = 0;
    let recoveryMs = 0;
    for (const worker of stack.workers) {
      await sleep((TALK_SECONDS / 2) * 1_000);
      hit += (await openCallsOf(stack, account, worker.pid)).length;
      const startedMs = performance.now();
      const code = await worker.stop();
      if (code !== 0) violations.push(`${worker.name} ended with code ${String(code)}`);
      recoveryMs = Math.max(recoveryMs, performance.now() - startedMs);
      await worker.start();
    }
    await load.stop();
    const cut = (await callsOf(stack, account)).filter(({ status, reason }) => {
      return status === 'ended' && reason !== 'max_duration_reached';
    });
    return {
      injected: stack.workers.length,
      hit,
      recoveryMs,
      violations: [...violations, ...cut.map(({ id, reason }) => `a call ended as ${reason}: ${id}`)],
    };
  },
};
