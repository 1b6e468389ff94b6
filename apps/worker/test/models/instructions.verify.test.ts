import { setTimeout } from 'node:timers/promises';
import type { CallId, Turn } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { connectForWaiting, createInstructionSender, type InstructionSender } from '@outdial/queue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { FAMILIES, REALTIME_PROVIDERS } from './conducted-agent.ts';
import { openModelNetwork } from './model-network.ts';
import { BYE, endCall, OPENING, SLOT, type Scenario } from './scenario.ts';

/** In real time. */
const LIMIT_MS = 180_000;
const INSTRUCTION = 'Offer the slot at nine on Tuesday.';
const FULL = 'We are full on Tuesday.';
const rules = [{ when: /fine|thank you\./, say: BYE, tool: endCall }];
const SCRIPT = {
  opening: { say: OPENING },
  rules,
  otherwise: { say: FULL },
  roles: [{ instructions: /slot at nine/, opening: {}, rules, otherwise: { say: SLOT } }],
};
const scenario = (of: Pick<Scenario, 'family' | 'provider'>): Scenario => ({
  ...of,
  persona: 'friendly',
  script: SCRIPT,
});
const SCENARIOS: readonly Scenario[] = [
  scenario({ family: 'cascade' }),
  ...REALTIME_PROVIDERS.map((provider) => scenario({ family: 'realtime', provider })),
];

let network: Awaited<ReturnType<typeof openModelNetwork<Scenario>>>;
let sender: InstructionSender;
const connections: ReturnType<typeof connectForWaiting>[] = [];
beforeAll(async () => {
  network = await openModelNetwork(SCENARIOS);
  const [redis, subscriber] = [connectForWaiting(network.stage.redisUrl), connectForWaiting(network.stage.redisUrl)];
  connections.push(redis, subscriber);
  sender = createInstructionSender({ redis, subscriber, clock: systemClock });
}, LIMIT_MS);
afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  await network.close();
});

/** As soon as the callee has answered: before, no worker takes it. */
async function instructOnceAnswered(callId: CallId): Promise<void> {
  const untilMs = Date.now() + 30_000;
  while ((await sender.send(callId, INSTRUCTION)) !== 'taken') {
    if (Date.now() > untilMs) throw new Error('no worker took the instruction');
    await setTimeout(50);
  }
}

const said = (transcript: readonly Turn[] | null, role: Turn['role']) =>
  (transcript ?? []).filter((turn) => turn.role === role).map(({ text }) => text);

test(
  `over real RTP, a model of each of the ${FAMILIES.length} families and of every provider says what it was instructed to`,
  { timeout: LIMIT_MS },
  async () => {
    for (const one of SCENARIOS) {
      const callId = await network.begin(one);
      await instructOnceAnswered(callId);
      const { transcript, endedReason } = await network.stage.untilEnded(callId);
      expect([one.provider ?? one.family, said(transcript, 'supervisor')]).toEqual([
        one.provider ?? one.family,
        [INSTRUCTION],
      ]);
      expect([one.provider ?? one.family, said(transcript, 'agent')]).toEqual([
        one.provider ?? one.family,
        expect.arrayContaining([SLOT]),
      ]);
      expect(said(transcript, 'agent')).not.toContain(FULL);
      expect(endedReason).toBe('agent_hangup');
      expect(await sender.send(callId, INSTRUCTION)).toBeNull();
    }
    await expect.poll(() => audit(network.stage)).toEqual(AT_REST);
  },
);
