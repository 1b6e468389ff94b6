import { describe, expect, it } from 'vitest';
import { SourceFilter } from './source-filter.ts';

const SIGNALLED = { host: '192.0.2.1', port: 4_000 };
const OTHER_PORT = { host: '192.0.2.1', port: 4_500 };
const OTHER_HOST = { host: '192.0.2.9', port: 4_000 };

const filter = (learning: ConstructorParameters<typeof SourceFilter>[0]) => {
  const source = new SourceFilter(learning);
  source.signal(SIGNALLED);
  return source;
};

describe('the source of a stream', () => {
  it('is unknown before an address was signaled', () => {
    expect(new SourceFilter('any_host').accepts(SIGNALLED)).toBe(false);
    expect(new SourceFilter('any_host').destination).toBeUndefined();
  });

  it.each([
    ['off', [true, false, false]],
    ['same_host', [true, true, false]],
    ['any_host', [true, true, true]],
  ] as const)('with %s is accepted from the address, the host, anywhere: %j', (learning, taken) => {
    expect([SIGNALLED, OTHER_PORT, OTHER_HOST].map((sender) => filter(learning).accepts(sender))).toEqual(taken);
  });

  it('is the first accepted one, and is the destination', () => {
    const source = filter('same_host');
    expect(source.destination).toEqual(SIGNALLED);
    expect(source.accepts(OTHER_PORT)).toBe(true);
    expect(source.destination).toEqual(OTHER_PORT);
    expect(source.accepts({ ...OTHER_PORT, port: 4_501 })).toBe(false);
  });

  it('is the signaled address for good once that has sent, even if another was faster', () => {
    const source = filter('any_host');
    expect(source.accepts(OTHER_HOST)).toBe(true);
    expect(source.accepts(SIGNALLED)).toBe(true);
    expect(source.destination).toEqual(SIGNALLED);
    expect(source.accepts(OTHER_HOST)).toBe(false);
  });

  describe('after the SDP moved', () => {
    const moveTo = { ...SIGNALLED, port: 6_000 };
    const newSource = { ...SIGNALLED, port: 6_500 };
    const inFlight = [OTHER_PORT, SIGNALLED, OTHER_PORT];

    it.each(['same_host', 'any_host'] as const)('is not learned from late packets, with %s', (learning) => {
      const source = filter(learning);
      source.accepts(OTHER_PORT);
      source.signal(moveTo);
      expect(inFlight.map((sender) => source.accepts(sender))).toEqual([false, false, false]);
      expect(source.destination).toEqual(moveTo);
      expect(source.accepts(newSource)).toBe(true);
      expect(inFlight.map((sender) => source.accepts(sender))).toEqual([false, false, false]);
      expect(source.destination).toEqual(newSource);
    });

    it('never returns to a former address of the SDP, however long that sends', () => {
      const source = filter('same_host');
      source.accepts(SIGNALLED);
      source.signal(moveTo);
      for (let packet = 0; packet < 1_000; packet += 1) expect(source.accepts(SIGNALLED)).toBe(false);
      expect(source.accepts(newSource)).toBe(true);
    });

    it('stays with a learned source that alone sends for two seconds, until a new one sends', () => {
      const source = filter('same_host');
      source.accepts(OTHER_PORT);
      source.signal(moveTo);
      for (let packet = 0; packet < 100; packet += 1) expect(source.accepts(OTHER_PORT)).toBe(false);
      expect(source.accepts(OTHER_PORT)).toBe(true);
      expect(source.accepts(OTHER_HOST)).toBe(false);
      expect(source.accepts(newSource)).toBe(true);
      expect(source.accepts(OTHER_PORT)).toBe(false);
    });

    it('is restored at once when the SDP moves back', () => {
      const source = filter('same_host');
      source.accepts(OTHER_PORT);
      source.signal(moveTo);
      source.accepts(newSource);
      source.signal(SIGNALLED);
      expect(source.accepts(newSource)).toBe(false);
      expect(source.accepts(OTHER_PORT)).toBe(true);
    });
  });

  it('is learned again when another address is signaled, and kept when the same one is', () => {
    const source = filter('same_host');
    source.accepts(OTHER_PORT);
    source.signal({ ...SIGNALLED });
    expect(source.destination).toEqual(OTHER_PORT);
    source.signal(OTHER_HOST);
    expect(source.destination).toEqual(OTHER_HOST);
    expect(source.accepts(OTHER_PORT)).toBe(false);
  });
});
