import { expect, test } from 'vitest';
import type { MediaPriority } from '../settings/media-priority.ts';
import { raiseOwnPriority } from './priority.ts';

/** A system that permits these. */
function systemThat(permits: { readonly realTime: boolean; readonly raised: boolean }) {
  const asked: string[] = [];
  return {
    asked,
    runInRealTime: () => (asked.push('real time'), permits.realTime),
    raiseThreadPriority: (niceness: number) => (asked.push(`niceness ${niceness}`), permits.raised),
  };
}

test.each<[MediaPriority, boolean, boolean, MediaPriority, readonly string[]]>([
  ['real_time', true, true, 'real_time', ['real time']],
  ['real_time', false, true, 'raised', ['real time', 'niceness -10']],
  ['real_time', false, false, 'normal', ['real time', 'niceness -10']],
  ['raised', true, true, 'raised', ['niceness -10']],
  ['raised', true, false, 'normal', ['niceness -10']],
  ['normal', true, true, 'normal', []],
])(
  'wanting %s, with real time permitted: %s and a raised priority: %s, gives %s',
  (wanted, realTime, raised, has, asked) => {
    const system = systemThat({ realTime, raised });
    expect(raiseOwnPriority(wanted, system)).toBe(has);
    expect(system.asked).toEqual(asked);
  },
);
