import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { visibleRange } from './visible-rows.ts';

test('the range has every visible row and few others', () => {
  const pixels = integer({ min: -500_000, max: 2_000 });
  assert(
    property(
      pixels,
      integer({ min: 200, max: 3_000 }),
      integer({ min: 20, max: 90 }),
      (topPx, windowHeightPx, rowHeightPx) => {
        const { first, end } = visibleRange({ topPx, windowHeightPx, rowHeightPx });
        const isSeen = (row: number) =>
          topPx + (row + 1) * rowHeightPx > 0 && topPx + row * rowHeightPx < windowHeightPx;
        expect(first).toBeGreaterThanOrEqual(0);
        if (first > 0) expect(isSeen(first - 1)).toBe(false);
        expect(isSeen(end)).toBe(false);
        expect(end - first).toBeLessThanOrEqual(Math.ceil(windowHeightPx / rowHeightPx) + 22);
      },
    ),
  );
});
