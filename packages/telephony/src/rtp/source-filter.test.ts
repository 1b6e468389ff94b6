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
  it('is nobody before an address was signalled', () => {
    expect(new SourceFilter('any_host').accepts(SIGNALLED)).toBe(false);
    expect(new SourceFilter('any_host').destination).toBeUndefined();
  });

  it.each([
    ['off', [true, false, false]],
    ['same_host', [true, true, false]],
    ['any_host', [true, true, true]],
  ] as const)('with %s is taken from the address, the host, anywhere: %j', (learning, taken) => {
    expect([SIGNALLED, OTHER_PORT, OTHER_HOST].map((sender) => filter(learning).accepts(sender))).toEqual(taken);
  });

  it('is the first that was taken, and is sent to', () => {
    const source = filter('same_host');
    expect(source.destination).toEqual(SIGNALLED);
    expect(source.accepts(OTHER_PORT)).toBe(true);
    expect(source.destination).toEqual(OTHER_PORT);
    expect(source.accepts({ ...OTHER_PORT, port: 4_501 })).toBe(false);
  });

  it('is the signalled address for good once that has spoken, whoever was faster', () => {
    const source = filter('any_host');
    expect(source.accepts(OTHER_HOST)).toBe(true);
    expect(source.accepts(SIGNALLED)).toBe(true);
    expect(source.destination).toEqual(SIGNALLED);
    expect(source.accepts(OTHER_HOST)).toBe(false);
  });

  it('is learned anew when another address is signalled, and kept when the same one is', () => {
    const source = filter('same_host');
    source.accepts(OTHER_PORT);
    source.signal({ ...SIGNALLED });
    expect(source.destination).toEqual(OTHER_PORT);
    source.signal(OTHER_HOST);
    expect(source.destination).toEqual(OTHER_HOST);
    expect(source.accepts(OTHER_PORT)).toBe(false);
  });
});
