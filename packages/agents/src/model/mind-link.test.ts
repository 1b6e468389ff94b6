import { randomUUID } from 'node:crypto';
import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { callIdSchema } from '@outdial/contracts';
import { ManualClock } from '@outdial/testkit/async';
import { afterEach, describe, expect, test } from 'vitest';
import type { FromMind, FromModelThread } from './bridge.ts';
import { createMindLink } from './mind-link.ts';

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

const LOST = { kind: 'failed', reason: 'provider_unavailable', failure: 'model_thread_lost' };

function setUp() {
  const clock = new ManualClock();
  const link = createMindLink({ clock });
  const events: FromMind[] = [];
  const callId = callIdSchema.parse(randomUUID());
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const line = link.attach(callId, (event) => events.push(event));
  const reply = async (message: FromModelThread): Promise<void> => {
    port2.postMessage(message);
    await expect.poll(() => events.length).toBeGreaterThan(0);
  };
  const received = () => {
    const messages: unknown[] = [];
    for (let got = receiveMessageOnPort(port2); got !== undefined; got = receiveMessageOnPort(port2)) {
      messages.push(got.message);
    }
    return messages;
  };
  return { clock, link, line, events, callId, port1, port2, reply, received };
}

describe('the bridge', () => {
  test('keeps what an agent asks for until the model thread has started', () => {
    const { link, line, callId, port1, received } = setUp();
    line.send({ kind: 'say', text: 'Good morning.' });
    link.use(port1);
    line.send({ kind: 'open_gate' });
    expect(received()).toEqual([
      { kind: 'attach', callId },
      { kind: 'call', callId, message: { kind: 'say', text: 'Good morning.' } },
      { kind: 'call', callId, message: { kind: 'open_gate' } },
    ]);
    link.close();
  });

  test('carries sound both ways', async () => {
    const { link, line, events, callId, port1, reply, received } = setUp();
    link.use(port1);
    line.send({ kind: 'audio', ulaw: new Uint8Array(320).fill(7), fromMs: 40 });
    expect(received().at(-1)).toEqual({
      kind: 'call',
      callId,
      message: { kind: 'audio', ulaw: new Uint8Array(320).fill(7), fromMs: 40 },
    });
    await reply({ kind: 'call', callId, message: { kind: 'sound', item: 'one', ulaw: new Uint8Array(8) } });
    expect(events).toEqual([{ kind: 'sound', item: 'one', ulaw: new Uint8Array(8) }]);
    link.close();
  });

  test('gives a model thread up that is silent for two seconds, and reports it to every call once', async () => {
    const { clock, link, line, events, callId, port1, reply } = setUp();
    link.use(port1);
    await reply({ kind: 'call', callId, message: { kind: 'ready' } });
    for (let waitedMs = 0; waitedMs < 2_000; waitedMs += 500) clock.turn(500);
    expect(events).toHaveLength(1);
    clock.turn(500);
    expect(events).toEqual([{ kind: 'ready' }, expect.objectContaining(LOST)]);
    line.send({ kind: 'open_gate' });
    expect(clock.pendingTimers).toBe(0);
  });

  test('waits ten seconds for a model thread to start', () => {
    const { clock, events } = setUp();
    clock.turn(9_999);
    expect(events).toEqual([]);
    clock.turn(1);
    expect(events).toEqual([expect.objectContaining(LOST)]);
  });

  test('reports the end of the model thread to its calls', async () => {
    const { link, events, port1, port2 } = setUp();
    link.use(port1);
    port2.close();
    await expect.poll(() => events).toEqual([expect.objectContaining(LOST)]);
  });
});
