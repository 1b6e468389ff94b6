import { afterEach, describe, expect, it } from 'vitest';
import type { CallSound, VoiceAgentFactory } from '@outdial/calls';
import { CountingAgent } from '../../test/counting-conversation.ts';
import {
  closeMediaThread,
  converse,
  openAnsweredCall,
  openCall,
  openMediaThread,
  until,
  type MediaThread,
} from '../../test/media-thread.ts';
import { decodeG711 } from '../rtp/g711.ts';
import { bindRtpSockets } from '../rtp/rtp-sockets.ts';
import { latenessAt } from './lateness.ts';

const threads: MediaThread[] = [];
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(threads.splice(0).map(closeMediaThread));
  await Promise.all(closers.splice(0).map((close) => close()));
});

function setUp(
  prepare: VoiceAgentFactory['prepare'],
  changes: Parameters<typeof openMediaThread>[1] = {},
): MediaThread {
  const thread = openMediaThread({ prepare }, changes);
  threads.push(thread);
  return thread;
}

/** A thread with one answered call and its agent. */
async function setUpCall(mayTalkMs?: number) {
  const agent = new CountingAgent();
  const thread = setUp(() => Promise.resolve(agent));
  const call = await openAnsweredCall(thread, mayTalkMs);
  closers.push(() => call.peer.close());
  return { ...thread, ...call, thread, agent };
}

describe('a call in the media thread', () => {
  it('receives digits from signaling', async () => {
    const { agent, clock, session } = await setUpCall();
    session.press('4');
    session.press('2');
    await until(() => {
      clock.turn(20);
      return agent.heardDigits.join('').length === 2;
    });
    expect(agent.heardDigits.join('')).toBe('42');
  });

  it('sends what its agent says, receives what its callee says, and records both', async () => {
    const { agent, callId, clock, conversation, peer, recordings, rtpPort, session } = await setUpCall();
    clock.turn(20);
    await peer.received(1);
    for (let packet = 0; packet < 8; packet += 1) peer.send(rtpPort, 0x80);
    let turned = 1;
    while (!agent.heard.includes(32_124)) {
      clock.turn(20);
      turned += 1;
      await peer.received(turned);
    }
    const result = await conversation.finish();
    expect(result).toEqual({ transcript: [], summary: 'Done.', answeredBy: 'human', recordingKey: callId });
    const { callee, agent: said } = recordings.channelsOf(callId);
    expect(callee).toContain(32_124);
    expect(said.filter((_, at) => at % 160 === 0)).toEqual(Int16Array.from({ length: turned }, (_, at) => -1 - at));
    expect(decodeG711('PCMU', peer.packets[turned - 1]?.payload ?? Buffer.alloc(0))[0]).toBeLessThan(0);
    expect(await session.close()).toMatchObject({ sentPackets: turned, strangers: 0 });
  });

  it('reports the events of the agent and the far end', async () => {
    const { agent, clock, conversation, events, peer, rtpPort, session, sessionEvents } = await setUpCall();
    agent.emit({ kind: 'answered_by', answeredBy: 'voicemail' });
    agent.emit({ kind: 'hang_up', reason: 'voicemail_reached' });
    peer.send(rtpPort, 0, { payloadType: 101 }, Uint8Array.of(5, 0x8a, 3, 32));
    await until(() => sessionEvents.length > 0);
    clock.turn(3_000);
    await until(() => events.length > 1 && sessionEvents.length > 1);
    expect(events).toEqual([
      { kind: 'answered_by', answeredBy: 'voicemail' },
      { kind: 'hang_up', reason: 'voicemail_reached' },
    ]);
    expect(sessionEvents).toEqual([{ kind: 'digit', digit: '5' }, { kind: 'no_audio' }]);
    expect(agent.heardDigits).toEqual(['5']);
    await Promise.all([session.close(), conversation.finish()]);
  });

  it('reports its sound to a monitor, callee first, until the monitor leaves', async () => {
    const { clock, conversation, session } = await setUpCall();
    const heard: CallSound[] = [];
    conversation.monitor?.(60_000, (sound) => heard.push(sound));
    await until(() => {
      clock.turn(20);
      return heard.length > 1;
    });
    const [first, second] = heard;
    expect((second?.firstFrame ?? 0) - (first?.firstFrame ?? 0)).toBe(5);
    // The agent says -1, -2, -3 … and the callee nothing.
    expect([...(second?.samples.slice(0, 2) ?? [])]).toEqual([0, -1 - (second?.firstFrame ?? 0)]);
    conversation.monitor?.(0, () => undefined);
    // Answered after the message that ends it.
    await conversation.finish();
    const count = heard.length;
    clock.turn(1_000);
    await session.close();
    expect(heard).toHaveLength(count);
  });

  it('passes an instruction to an agent with a model, and reports whether it was taken; a call that ends takes none', async () => {
    const { agent, conversation, session } = await setUpCall();
    expect(await conversation.instruct?.('Be brief.')).toBe('not_talking');
    const texts: string[] = [];
    agent.instruct = (text) => {
      texts.push(text);
      return text !== 'too late';
    };
    const outcomes = await Promise.all(
      ['Be brief.', 'too late', 'Offer Friday.'].map(async (text) => conversation.instruct?.(text)),
    );
    expect(outcomes).toEqual(['taken', 'not_talking', 'taken']);
    expect(texts).toEqual(['Be brief.', 'too late', 'Offer Friday.']);
    await Promise.all([session.close(), conversation.finish()]);
    expect(await conversation.instruct?.('Be brief.')).toBe('not_talking');
    expect(texts).toHaveLength(3);
  });

  it('takes no instruction that arrives after its sender gave up', async () => {
    const { agent, clock, conversation, session } = await setUpCall();
    const texts: string[] = [];
    agent.instruct = (text) => texts.push(text) > 0;
    const late = conversation.instruct?.('Be brief.');
    // The thread is busy for as long as this.
    clock.turn(400);
    expect(await late).toBe('not_talking');
    expect(await conversation.instruct?.('Offer Friday.')).toBe('taken');
    expect(texts).toEqual(['Offer Friday.']);
    await Promise.all([session.close(), conversation.finish()]);
  });

  it('notifies the agent that the call is on hold', async () => {
    const { agent, conversation, session } = await setUpCall();
    conversation.setOnHold(true);
    conversation.setOnHold(false);
    await until(() => agent.holds.length === 2);
    expect(agent.holds).toEqual([true, false]);
    await Promise.all([session.close(), conversation.finish()]);
  });

  it('can be closed before it is finished and finished before it is closed, more than once, and is then removed', async () => {
    const thread = setUp(() => Promise.resolve(new CountingAgent()));
    const [one, other, third] = [openCall(thread), openCall(thread), openCall(thread)];
    await Promise.all([one.session.opened, other.session.opened, third.session.opened]);
    await one.session.close();
    await one.conversation.finish();
    await other.conversation.finish();
    await Promise.all([other.session.close(), other.session.close(), other.conversation.finish()]);
    thread.clock.turn(10_000);
    await until(() => thread.metrics.length === 1);
    expect(thread.metrics[0]?.sessions).toBe(1);
    expect(() => converse(thread.client, one.callId)).toThrow('before its conversation');
  });

  it('frees its ports', async () => {
    const { conversation, rtpPort, session } = await setUpCall();
    await session.close();
    await conversation.finish();
    const again = await bindRtpSockets('127.0.0.1', rtpPort);
    expect(again).not.toBeNull();
    await again?.close();
  });
});

describe('opening a session', () => {
  it('fails when every port is taken, and the call still ends', async () => {
    const thread = setUp(() => Promise.resolve(new CountingAgent()), {
      rtpPorts: { address: '127.0.0.1', firstPort: 31_700, lastPort: 31_701 },
    });
    const [first, second] = [openCall(thread), openCall(thread)];
    expect(await first.session.opened).toEqual({ kind: 'opened', rtpPort: 31_700 });
    expect(await second.session.opened).toEqual({ kind: 'ports_exhausted' });
    expect(await second.conversation.finish()).toMatchObject({ transcript: null, recordingKey: null });
    expect(await second.session.close()).toBeNull();
  });

  it('reports why it failed', async () => {
    const thread = setUp(() => Promise.resolve(new CountingAgent()), {
      rtpPorts: { address: '192.0.2.1', firstPort: 31_700, lastPort: 31_701 },
    });
    expect(await openCall(thread).session.opened).toMatchObject({ kind: 'failed', message: /EADDRNOTAVAIL/ });
  });
});

describe('the right to talk', () => {
  it('is enforced in the media thread: nothing is sent after its end, without a message to stop', async () => {
    const { agent, clock, conversation, peer, sessionEvents } = await setUpCall(100);
    clock.turn(5_000);
    await until(() => sessionEvents.length > 0);
    expect(sessionEvents).toEqual([{ kind: 'expired' }]);
    await peer.reported(1);
    // The first call's ticks are due 4 ms after every 20.
    expect(peer.packets).toHaveLength(5);
    expect(agent.said).toBe(5);
    expect(await conversation.finish()).toMatchObject({ answeredBy: 'human' });
  });

  it('continues as long as it is renewed', async () => {
    const { clock, peer, renew, sessionEvents, thread } = await setUpCall(1_500);
    clock.turn(900);
    renew(600);
    // Rights are checked every second. A session opened after the renewal is answered after it.
    clock.turn(100);
    await openCall(thread).session.opened;
    clock.turn(480);
    expect(sessionEvents).toEqual([]);
    clock.turn(1_000);
    await until(() => sessionEvents.length > 0);
    await peer.received(75);
    expect(peer.packets).toHaveLength(75);
  });

  it('ends at once for a thread that slept beyond it', async () => {
    const { clock, peer, sessionEvents } = await setUpCall(1_000);
    clock.turn(40);
    clock.stall(1_000);
    clock.turn(20);
    await until(() => sessionEvents.length > 0);
    await peer.reported(1);
    expect(peer.packets).toHaveLength(2);
  });

  it('that is already over sends nothing at the answer', async () => {
    const thread = setUp(() => Promise.resolve(new CountingAgent()));
    const call = openCall(thread, 0);
    await call.session.opened;
    call.conversation.answered();
    await until(() => call.sessionEvents.length > 0);
    expect(call.sessionEvents).toEqual([{ kind: 'expired' }]);
  });
});

describe('the media thread', () => {
  it('reports how late it sent since the last report', async () => {
    const { clock, metrics, peer } = await setUpCall();
    clock.turn(40);
    clock.stall(28);
    clock.turn(9_932);
    await until(() => metrics.length === 1);
    const lateness = metrics[0]?.lateness;
    expect(lateness?.packets).toBeGreaterThan(490);
    expect(lateness?.mostMs).toBe(24);
    expect(lateness && latenessAt(0.5, lateness)).toBe(0.25);
    await peer.received(2);
  });

  it('reports the media statistics of all its calls, ended and current', async () => {
    const { clock, conversation, metrics, peer, rtpPort, session, thread } = await setUpCall(3_600_000);
    const other = await openAnsweredCall(thread, 3_600_000);
    closers.push(() => other.peer.close());
    const nextMetrics = async () => {
      const before = metrics.length;
      clock.turn(10_000);
      await until(() => metrics.length > before);
      return metrics.at(-1);
    };
    // The second of three is missing.
    for (const sequenceNumber of [7, 9]) peer.send(rtpPort, 0x80, { sequenceNumber });
    other.peer.send(other.rtpPort, 0x80);
    while ((await nextMetrics())?.sound.receivedPackets !== 3);
    await session.close();
    await conversation.finish();
    const last = await nextMetrics();
    expect(last).toMatchObject({ sessions: 1, sound: { receivedPackets: 3, lostPackets: 1, latePackets: 0 } });
    expect(last?.sound.sentPackets).toBeGreaterThan(last?.lateness.packets ?? Infinity);
  });

  it('reports its errors', async () => {
    const thread = setUp(() => Promise.reject(new Error('no voice')));
    const call = openCall(thread);
    await until(() => call.events.length > 0 && thread.errors.length > 0);
    expect(call.events).toEqual([
      { kind: 'hang_up', reason: 'agent_error', failure: { code: 'agent_failed', field: null } },
    ]);
    expect(thread.errors).toMatchObject([{ message: 'no voice' }]);
  });

  it('fails its calls when it is gone, and lets them end', async () => {
    const { conversation, events, host, session, thread, timesLost } = await setUpCall();
    await host.close();
    await until(() => timesLost() > 0);
    expect(events).toEqual([
      { kind: 'hang_up', reason: 'agent_error', failure: { code: 'agent_failed', field: null } },
    ]);
    expect(await conversation.finish()).toMatchObject({ transcript: null, recordingKey: null });
    expect(await session.close()).toBeNull();
    expect(await openCall(thread).session.opened).toMatchObject({ kind: 'failed' });
    expect(timesLost()).toBe(1);
  });
});
