import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRtpPacket, RTP_HEADER_BYTES, writeRtpHeader, type RtpHeader } from './rtp-packet.ts';
import { nextSequenceNumber, sequenceDistance, timestampDistance } from './serial-number.ts';

const header = fc.record({
  marker: fc.boolean(),
  payloadType: fc.integer({ min: 0, max: 127 }).filter((type) => type < 64 || type > 95),
  sequenceNumber: fc.integer({ min: 0, max: 0xffff }),
  timestamp: fc.integer({ min: 0, max: 0xffff_ffff }),
  ssrc: fc.integer({ min: 0, max: 0xffff_ffff }),
});

function packetOf(fields: RtpHeader, payload: Uint8Array): Buffer {
  const packet = Buffer.alloc(RTP_HEADER_BYTES + payload.length);
  writeRtpHeader(packet, fields);
  packet.set(payload, RTP_HEADER_BYTES);
  return packet;
}

/** A packet with everything that RFC 3550 allows before and after the payload, built octet by octet. */
function decorated(plain: Buffer, csrcs: number, extensionWords: number | null, padding: number): Buffer {
  const head = Buffer.from(plain.subarray(0, RTP_HEADER_BYTES));
  const payload = plain.subarray(RTP_HEADER_BYTES);
  head[0] = 0x80 | (padding > 0 ? 0x20 : 0) | (extensionWords === null ? 0 : 0x10) | csrcs;
  const extension = Buffer.alloc(extensionWords === null ? 0 : 4 + 4 * extensionWords, 0xee);
  if (extensionWords !== null) extension.writeUInt16BE(extensionWords, 2);
  const pad = Buffer.alloc(padding);
  if (padding > 0) pad[padding - 1] = padding;
  return Buffer.concat([head, Buffer.alloc(4 * csrcs, 0xcc), extension, payload, pad]);
}

describe('an RTP packet', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(header, fc.uint8Array({ maxLength: 320 }), (fields, payload) => {
        const { payload: read, ...rest } = parseRtpPacket(packetOf(fields, payload)) ?? {};
        expect(rest).toEqual(fields);
        expect([...(read ?? [])]).toEqual([...payload]);
      }),
    );
  });

  it('yields its payload without contributing sources, extension and padding', () => {
    const decoration = [
      fc.integer({ min: 0, max: 15 }),
      fc.option(fc.integer({ min: 0, max: 8 })),
      fc.integer({ min: 0, max: 255 }),
    ] as const;
    fc.assert(
      fc.property(
        header,
        fc.uint8Array({ maxLength: 200 }),
        ...decoration,
        (fields, payload, csrcs, words, padding) => {
          const packet = parseRtpPacket(decorated(packetOf(fields, payload), csrcs, words, padding));
          expect([...(packet?.payload ?? [0])]).toEqual([...payload]);
        },
      ),
    );
  });

  it('is never read beyond its end, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const packet = parseRtpPacket(Buffer.from(bytes));
        if (packet) expect(packet.payload.length).toBeLessThanOrEqual(bytes.length - RTP_HEADER_BYTES);
      }),
      { numRuns: 2_000 },
    );
  });

  const valid = packetOf(
    { marker: false, payloadType: 0, sequenceNumber: 1, timestamp: 2, ssrc: 3 },
    Buffer.alloc(160),
  );
  const changed = (at: number, byte: number): Buffer => {
    const copy = Buffer.from(valid);
    copy[at] = byte;
    return copy;
  };

  it.each([
    ['a datagram that is too short', valid.subarray(0, 11)],
    ['another version', changed(0, 0x40)],
    ['RTCP on its port', changed(1, 200)],
    ['more contributing sources than bytes', changed(0, 0x8f).subarray(0, 40)],
    ['a truncated extension', changed(0, 0x90).subarray(0, 14)],
    ['padding longer than the payload', decorated(valid.subarray(0, 14), 0, null, 0).fill(0xa0, 0, 1).fill(9, 13, 14)],
    ['padding of no bytes', changed(0, 0xa0)],
  ])('is not %s', (_, datagram) => {
    expect(parseRtpPacket(datagram)).toBeNull();
  });
});

describe('sequence numbers and timestamps', () => {
  it('are compared across the wrap', () => {
    expect(sequenceDistance(0xffff, 0)).toBe(1);
    expect(sequenceDistance(2, 0xfffe)).toBe(-4);
    expect(timestampDistance(0xffff_ff60, 0)).toBe(160);
    expect(timestampDistance(0, 0xffff_ff60)).toBe(-160);
    expect(nextSequenceNumber(0xffff)).toBe(0);
  });
});
