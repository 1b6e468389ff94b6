import { array, assert, constantFrom, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { EventStream } from './event-stream.ts';

const ENDINGS = ['\n', '\r\n'] as const;

test('events are the same however their bytes are cut', () => {
  assert(
    property(
      array(string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replaceAll(/[\r\n]/g, '·'))),
      constantFrom(...ENDINGS),
      array(integer({ min: 1, max: 7 }), { minLength: 1 }),
      (texts, ending, sizes) => {
        const bytes = Buffer.from(texts.map((text) => `: note${ending}data: ${text}${ending}${ending}`).join(''));
        const stream = new EventStream();
        const events: string[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          events.push(...stream.add(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(events).toEqual(texts);
      },
    ),
  );
});

test('an event of several lines is one, and a line without a space after its name is data', () => {
  expect(new EventStream().add(Buffer.from('event: x\ndata:one\ndata: two\n\ndata: three'))).toEqual(['one\ntwo']);
});

test('an event that never ends is too long, as one line and as many', () => {
  for (const piece of ['x'.repeat(1_000), 'data: x\n'.repeat(100), '\r'.repeat(1_000)]) {
    const stream = new EventStream();
    let added = 0;
    for (; !stream.isTooLong && added < 10_000; added += 1) expect(stream.add(Buffer.from(piece))).toEqual([]);
    expect([piece[0], added < 10_000]).toEqual([piece[0], piece[0] !== '\r']);
    expect(stream.add(Buffer.from('data: late\n\n'))).toEqual(piece[0] === '\r' ? ['late'] : []);
  }
});
