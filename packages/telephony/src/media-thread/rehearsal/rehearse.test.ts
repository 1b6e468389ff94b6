import { setImmediate } from 'node:timers/promises';
import { systemClock, type Clock } from '@outdial/kernel';
import { expect, it } from 'vitest';
import { CountingAgent } from '../../../test/counting-conversation.ts';
import { rehearse } from './rehearse.ts';

/** Agents and recordings that note what happens to them. */
function setUp(clock: Clock) {
  const agents: CountingAgent[] = [];
  const closed: number[] = [];
  const spoken: Int16Array[] = [];
  const rehearsal = rehearse({
    clock,
    agentsWith: (speech) => ({
      async prepare() {
        spoken.push(await speech.synthesize({ text: 'One.', voice: 'slt' }));
        const agent = new CountingAgent();
        agents.push(agent);
        return agent;
      },
    }),
    recordings: {
      create(callId) {
        let frames = 0;
        return { key: callId, write: () => void (frames += 1), close: async () => closed.push(frames) > 0 };
      },
      keyOf: (callId) => callId,
      open: async () => null,
      repair: async () => false,
    },
  });
  return { rehearsal, agents, closed, spoken };
}

it('a rehearsal leads calls from their preparation to their end: agents speak, hear themselves and are recorded', async () => {
  const standing: Clock = { ...systemClock, monotonicMs: () => 0 };
  const { rehearsal, agents, closed, spoken } = setUp(standing);
  await rehearsal;
  expect(agents.length).toBeGreaterThan(0);
  for (const agent of agents) {
    expect(agent.said).toBeGreaterThan(100);
    expect(agent.heard.some((sample) => sample !== 0)).toBe(true);
    expect(agent.finishes).toBe(1);
  }
  expect(closed).toHaveLength(agents.length);
  expect(Math.min(...closed)).toBeGreaterThan(100);
  expect(Math.max(...(spoken[0] ?? []))).toBeGreaterThan(3_000);
});

it('a rehearsal on a slow machine is cut short, and its calls are ended all the same', async () => {
  let nowMs = 0;
  const slow: Clock = { ...systemClock, monotonicMs: () => (nowMs += 200) };
  const { rehearsal, agents, closed } = setUp(slow);
  await rehearsal;
  await setImmediate();
  expect(Math.max(...agents.map(({ said }) => said))).toBeLessThan(10);
  expect(agents.every(({ finishes }) => finishes === 1)).toBe(true);
  expect(closed).toHaveLength(agents.length);
});
