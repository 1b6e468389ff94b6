import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReceptionCounter } from './reception.ts';
import { middleOfNtp, parseRtcp, writeRtcp, type RtcpReport } from './rtcp-packet.ts';

const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const block = fc.record({
  ssrc: uint32,
  fractionLost: fc.integer({ min: 0, max: 255 }),
  cumulativeLost: fc.integer({ min: -0x80_0000, max: 0x7f_ffff }),
  highestSequence: uint32,
  jitterSamples: uint32,
  lastReport: uint32,
  delaySinceLastReport: uint32,
});
const sender = fc.record({
  wallMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  timestamp: uint32,
  packets: uint32,
  octets: uint32,
});
const report: fc.Arbitrary<RtcpReport> = fc.record({
  ssrc: uint32,
  canonicalName: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }),
  sender: fc.option(sender),
  block: fc.option(block),
  bye: fc.boolean(),
});

const plain: RtcpReport = { ssrc: 1, canonicalName: 'abcd', sender: null, block: null, bye: false };

describe('an RTCP packet', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(report, (written) => {
        expect(parseRtcp(writeRtcp(written))).toEqual({
          ssrc: written.ssrc,
          sentAt: written.sender && middleOfNtp(written.sender.wallMs),
          blocks: written.block ? [written.block] : [],
          bye: written.bye,
        });
      }),
    );
  });

  it('is laid out as RFC 3550 section 6 specifies', () => {
    // 1 s after 1970-01-01 is 2,208,988,801 s after 1900: 83aa7e81.
    const info = { wallMs: 1_500, timestamp: 2, packets: 3, octets: 4 };
    expect(writeRtcp({ ...plain, sender: info, bye: true }).toString('hex')).toBe(
      [
        '80c80006 00000001 83aa7e81 80000000 00000002 00000003 00000004',
        '81ca0003 00000001 01046162 63640000',
        '81cb0001 00000001',
      ]
        .join('')
        .replaceAll(' ', ''),
    );
  });

  it('is never read beyond its end, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
        const datagram = Buffer.from(bytes);
        if (datagram.length > 1) datagram.writeUInt16BE(0x80c8 | (datagram.readUInt16BE(0) & 0x1f01), 0);
        const read = parseRtcp(datagram);
        if (read) expect(read.blocks.length * 24).toBeLessThan(bytes.length);
      }),
      { numRuns: 2_000 },
    );
  });

  const valid = writeRtcp({ ...plain, bye: true });
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['cut off', valid.subarray(0, -1)],
    ['of another version', Buffer.from(valid).fill(0x41, 0, 1)],
    ['without a leading report', valid.subarray(8)],
    ['with more blocks than bytes', Buffer.from(valid).fill(0x9f, 0, 1)],
  ])('is not %s', (_, datagram) => {
    expect(parseRtcp(datagram)).toBeNull();
  });
});

describe('reception statistics', () => {
  it('count across wraps, whatever is lost, duplicated and out of order', () => {
    const fates = fc.array(fc.constantFrom('once', 'once', 'twice', 'lost'), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fates, fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 1, max: 8 }), (fates, first, reach) => {
        // The first and the last arrive: losses at the ends cannot be detected.
        const known = ['once', ...fates, 'once'];
        const sent = known.flatMap((fate, at) => (fate === 'lost' ? [] : fate === 'twice' ? [at, at] : [at]));
        const order = sent.map((at, place) => ({ at, place: at === 0 ? -1 : place + ((at * 7) % reach) }));
        const counter = new ReceptionCounter();
        for (const { at } of order.toSorted((one, other) => one.place - other.place)) {
          counter.add((first + at) & 0xffff, null, 0);
        }
        expect(counter.received).toBe(sent.length);
        expect(counter.lost).toBe(known.length - sent.length);
        expect(counter.report().highestSequence).toBe(first + known.length - 1);
      }),
    );
  });

  it('are reported since the last report', () => {
    const counter = new ReceptionCounter();
    for (const sequenceNumber of [1, 2, 3, 5]) counter.add(sequenceNumber, null, 0);
    expect(counter.report().fractionLost).toBe(Math.floor(256 / 5));
    for (const sequenceNumber of [6, 7]) counter.add(sequenceNumber, null, 0);
    expect(counter.report()).toMatchObject({ fractionLost: 0, cumulativeLost: 1 });
    expect(counter.report()).toMatchObject({ fractionLost: 0, cumulativeLost: 1 });
  });

  it('continue when the sender restarts its numbering', () => {
    const counter = new ReceptionCounter();
    for (const sequenceNumber of [1, 2, 4, 30_000, 30_002]) counter.add(sequenceNumber, null, 0);
    expect([counter.received, counter.lost]).toEqual([5, 2]);
  });

  it('change jitter by a sixteenth of every difference', () => {
    const counter = new ReceptionCounter();
    for (const [nth, lateMs] of [0, 20, 0].entries()) counter.add(nth, nth * 160, nth * 20 + lateMs);
    expect(counter.jitterMs).toBeCloseTo(20 / 16 + (20 - 20 / 16) / 16, 6);
    counter.add(3, 4_000_000, 60);
    expect(counter.jitterMs).toBeLessThan(3);
  });
});
