import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSpeechCache } from './speech-cache.ts';

describe('the speech cache', () => {
  it('evicts the least recently used entry, and never exceeds its size', () => {
    const operation = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      samples: fc.option(fc.integer({ min: 0, max: 60 })),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const cache = createSpeechCache(100);
        // The model: a list, least recently used first.
        let model: { key: string; sound: Int16Array }[] = [];
        for (const { key, samples } of operations) {
          const known = model.find((entry) => entry.key === key);
          if (samples === null) {
            expect(cache.get(key)).toBe(known?.sound);
            if (known !== undefined) model = [...model.filter((entry) => entry !== known), known];
          } else {
            const sound = new Int16Array(samples);
            cache.put(key, sound);
            model = model.filter((entry) => entry.key !== key);
            if (sound.byteLength <= 100) model.push({ key, sound });
            while (model.reduce((sum, entry) => sum + entry.sound.byteLength, 0) > 100) model.shift();
          }
        }
        for (const { key, sound } of model) expect(cache.get(key)).toBe(sound);
        for (const key of ['a', 'b', 'c', 'd', 'e']) {
          expect(cache.get(key) !== undefined).toBe(model.some((entry) => entry.key === key));
        }
      }),
    );
  });
});
