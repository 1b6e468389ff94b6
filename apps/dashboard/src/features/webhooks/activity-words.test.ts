import { describe, expect, it } from 'vitest';
import { activityWords, sumOf } from './activity-words.ts';

const hour = (part: object = {}) => ({ delivered: 0, failed: 0, pending: 0, has_more: false, ...part });

describe('the deliveries of a day in words', () => {
  it('name what there is, and leave out what there is not', () => {
    const sums = sumOf([hour({ delivered: 1_200 }), hour({ failed: 2 }), hour({ failed: 1 })]);
    expect(activityWords(sums)).toBe('1,200 delivered, 3 failed');
  });

  it('say so when nothing was sent', () => {
    expect(activityWords(sumOf([hour(), hour()]))).toBe('Nothing sent');
  });

  it('mark counts as lower bounds when one hour has more than was counted', () => {
    const sums = sumOf([hour({ delivered: 999, pending: 1, has_more: true }), hour({ delivered: 1 })]);
    expect(activityWords(sums)).toBe('1,000+ delivered, 1+ pending');
  });
});
