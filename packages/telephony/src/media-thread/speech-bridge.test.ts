import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { SpeechSynthesizer } from '@outdial/calls';
import { createSpeechBridge, serveSpeech } from './speech-bridge.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function setUp(speech: SpeechSynthesizer) {
  const { port1, port2 } = new MessageChannel();
  serveSpeech(port2, speech);
  closers.push(() => port1.close());
  return { bridge: createSpeechBridge(port1), port1, port2 };
}

describe('speech from another thread', () => {
  it('is what the synthesizer returned, for each request, in whatever order the results are ready', async () => {
    const waiting = new Map<string, (samples: Int16Array) => void>();
    const { bridge } = setUp({
      synthesize: ({ text }) =>
        new Promise((resolve) => {
          waiting.set(text, resolve);
          if (waiting.size === 2) for (const [of, speak] of [...waiting].toReversed()) speak(Int16Array.of(of.length));
        }),
    });
    const asked = ['a', 'long'].map((text) => bridge.synthesize({ text, voice: 'slt' }));
    expect(await Promise.all(asked)).toEqual([Int16Array.of(1), Int16Array.of(4)]);
  });

  it('leaves the synthesizer its samples', async () => {
    const kept = Int16Array.of(1, 2, 3);
    const { bridge } = setUp({ synthesize: () => Promise.resolve(kept) });
    expect(await bridge.synthesize({ text: 'a', voice: 'slt' })).toEqual(kept);
    expect(kept).toHaveLength(3);
  });

  it('fails with the synthesizer’s error', async () => {
    const { bridge } = setUp({ synthesize: () => Promise.reject(new Error('cannot say that')) });
    await expect(bridge.synthesize({ text: 'a', voice: 'slt' })).rejects.toThrow('cannot say that');
  });

  it('fails when that thread is gone, for pending and for new requests', async () => {
    const { bridge, port2 } = setUp({ synthesize: () => new Promise(() => undefined) });
    const asked = bridge.synthesize({ text: 'a', voice: 'slt' });
    port2.close();
    await expect(asked).rejects.toThrow('gone');
    await expect(bridge.synthesize({ text: 'b', voice: 'slt' })).rejects.toThrow('gone');
  });
});
