import { describe, expect, it } from 'vitest';
import { formatTraceParent, isSampled, parseTraceParent, tracePositionOf } from './trace-parent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it('says the same after it was written and read', () => {
    for (const sampled of [true, false]) {
      const position = { traceId: TRACE, spanId: SPAN, isSampled: sampled };
      const parent = formatTraceParent(position);
      expect(parseTraceParent(parent)).toBe(parent);
      expect(tracePositionOf(parent)).toEqual(position);
      expect(isSampled(parent)).toBe(sampled);
    }
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['upper-case digits', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['the invalid version', `ff-${TRACE}-${SPAN}-01`],
    ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
    ['two headers in one', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['other characters', `00-${TRACE}-${SPAN}-0x`],
    ['a line break', `00-${TRACE}-${SPAN}-01\n`],
  ])('is not read from %s', (_what, text) => {
    expect(parseTraceParent(text)).toBeNull();
  });

  it('of a later version is read by its first fields', () => {
    expect(parseTraceParent(`cc-${TRACE}-${SPAN}-01-more`)).toBe(`00-${TRACE}-${SPAN}-01`);
  });

  it('is sampled by the last bit of its flags, whatever the others say', () => {
    expect(isSampled(parseTraceParent(`00-${TRACE}-${SPAN}-03`))).toBe(true);
    expect(isSampled(parseTraceParent(`00-${TRACE}-${SPAN}-02`))).toBe(false);
    expect(isSampled(null)).toBe(false);
  });
});
