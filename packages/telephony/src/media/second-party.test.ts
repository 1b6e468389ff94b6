import { describe, expect, it } from 'vitest';
import { callIdSchema } from '@outdial/contracts';
import { CountingAgent, CountingLeg, openConversationWith } from '../../test/counting-conversation.ts';

const legId = callIdSchema.parse('0c000000-0000-4000-8000-000000000002');
const WISH = {
  kind: 'transfer',
  destination: 'Sales',
  target: { kind: 'uri', uri: 'sip:sales@pbx.example' },
  warm: { ringTimeoutSeconds: 20 },
} as const;

class IntroducingAgent extends CountingAgent {
  introductions = 0;
  introduce(): void {
    this.introductions += 1;
  }
  transferFailed(): void {}
}

/** A callee who waits from 20 ms on. */
async function waiting() {
  const agent = new IntroducingAgent();
  const second = new CountingLeg();
  const open = await openConversationWith(agent);
  open.conversation.answered();
  open.clock.turn(20);
  agent.emit(WISH);
  return { agent, second, ...open };
}
const firstSamples = (frames: readonly Int16Array[]) => frames.map((frame) => frame[0]);
const loudest = (frames: readonly Int16Array[]) => Math.max(...frames.flatMap((frame) => [...frame].map(Math.abs)));

describe('a callee who waits for a destination', () => {
  it('hears a quiet signal and not the agent, which does not hear the callee', async () => {
    const { agent, leg, clock, channels } = await waiting();
    clock.turn(10_000);
    expect(new Set(agent.heard.slice(1))).toEqual(new Set([0]));
    const heard = leg.sent.slice(1);
    expect(loudest(heard)).toBeGreaterThan(500);
    expect(loudest(heard)).toBeLessThan(1_000);
    const loud = heard.filter((frame) => loudest([frame]) > 100);
    // Twice two beeps in ten seconds.
    expect(loud).toHaveLength(24);
    expect(channels().callee.at(-1)).toBe(leg.received);
  });

  it('hears the agent again once the transfer has failed', async () => {
    const { agent, leg, clock, conversation } = await waiting();
    clock.turn(40);
    conversation.transferFailed({ reason: 'failed', sipCode: 486 });
    clock.turn(20);
    expect(firstSamples(leg.sent).at(-1)).toBe(-agent.said);
    expect(agent.heard.at(-1)).toBe(leg.received);
  });
});

describe('a destination that has answered', () => {
  it('hears the agent, and is recorded beside it; the callee waits on', async () => {
    const { agent, leg, second, clock, conversation, channels } = await waiting();
    conversation.introduce({ legId, leg: second });
    clock.turn(60);
    expect(agent.introductions).toBe(1);
    expect(firstSamples(second.sent)).toEqual([-2, -3, -4]);
    expect(leg.sent).toHaveLength(4);
    // -2 + 1, -3 + 2, -4 + 3.
    expect([...channels().agent].slice(160)).toEqual(Array.from({ length: 480 }, () => -1));
  });

  it('talks to the callee once it was introduced: both hear each other, keys too, and the agent has left', async () => {
    const { agent, leg, second, clock, conversation, channels, events } = await waiting();
    conversation.introduce({ legId, leg: second });
    clock.turn(20);
    leg.digits = '7';
    second.digits = '8';
    agent.emit({ kind: 'introduced' });
    expect(events.at(-1)).toEqual({ kind: 'introduced' });
    const { said } = agent;
    leg.received = 1_000;
    second.received = 2_000;
    leg.sent.length = 0;
    second.sent.length = 0;
    clock.turn(40);
    expect(firstSamples(leg.sent)).toEqual([2_001, 2_002]);
    expect(firstSamples(second.sent)).toEqual([1_001, 1_002]);
    expect([agent.said, agent.finishes]).toEqual([said, 1]);
    expect([leg.sentDigits, second.sentDigits]).toEqual([[], []]);
    leg.digits = '12';
    second.digits = '#';
    clock.turn(20);
    expect([leg.sentDigits, second.sentDigits]).toEqual([['#'], ['12']]);
    expect([channels().callee.at(-1), channels().agent.at(-1)]).toEqual([1_003, 2_003]);
    conversation.transferFailed({ reason: 'hung_up', sipCode: null });
    agent.emit({ kind: 'hang_up', reason: 'agent_hangup' });
    clock.turn(20);
    expect(firstSamples(leg.sent).at(-1)).toBe(2_004);
    expect(events.at(-1)).toEqual({ kind: 'introduced' });
    expect(await conversation.finish()).toMatchObject({ answeredBy: 'human', summary: 'Done.' });
  });
});
