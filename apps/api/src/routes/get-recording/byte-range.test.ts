import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseRange } from './byte-range.ts';

/** RFC 9110 section 14.1.2, by enumerating positions. */
function positionsOf(header: { first: number | null; last: number | null }, size: number): readonly number[] {
  const all = Array.from({ length: size }, (_, position) => position);
  const { first, last } = header;
  if (first === null) return last === null ? [] : all.slice(Math.max(0, size - last));
  return all.filter((position) => position >= first && (last === null || position <= last));
}

it('selects exactly the positions that the RFC defines, or reports that there are none', () => {
  const bound = fc.option(fc.nat(40));
  fc.assert(
    fc.property(bound, bound, fc.nat(30), (first, last, size) => {
      fc.pre(first !== null || last !== null);
      fc.pre(first === null || last === null || first <= last);
      const expected = first === null && last === 0 ? [] : positionsOf({ first, last }, size);
      const choice = chooseRange(`bytes=${first ?? ''}-${last ?? ''}`, size);
      if (expected.length === 0) expect(choice).toEqual({ kind: 'unsatisfiable' });
      else expect(choice).toEqual({ kind: 'part', range: { start: expected[0], end: expected.at(-1) } });
    }),
  );
});

it('ignores everything but a single byte range', () => {
  for (const header of [null, '', 'bytes', 'bytes=-', 'bytes=1-2,3-4', 'bytes=2-1', 'items=0-1', 'bytes=a-b'])
    expect(chooseRange(header, 10)).toEqual({ kind: 'whole' });
});
