import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventReader } from './parse-events.ts';

const STREAM =
  'retry: 2000\n\n: alive\n\nid: 1\nevent: call\ndata: {"a":1}\n\nid: 2\r\ndata: first\r\ndata:second\r\n\r\nevent: resync\ndata\n\n';
const EVENTS = [
  { id: '1', type: 'call', data: '{"a":1}' },
  { id: '2', type: 'message', data: 'first\nsecond' },
  { id: null, type: 'resync', data: '' },
];

describe('a reader of events', () => {
  it('returns each event once it is complete, and nothing for comments', () => {
    expect(createEventReader()(STREAM)).toEqual(EVENTS);
  });

  it('returns the same events however the text is split', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: STREAM.length }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (cuts) => {
        const bounds = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
        const read = createEventReader();
        const events = bounds.slice(1).flatMap((end, at) => read(STREAM.slice(bounds[at], end)));
        expect(events).toEqual(EVENTS);
      }),
    );
  });

  it('does not return a truncated event', () => {
    expect(createEventReader()('id: 1\ndata: half')).toEqual([]);
  });
});
