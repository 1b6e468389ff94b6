import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DigitReceiver } from './digit-receiver.ts';
import { DigitSender } from './digit-sender.ts';
import { digitTones } from './digit-tones.ts';
import {
  onlyDigits,
  parseTelephoneEvent,
  TELEPHONE_EVENT_BYTES,
  writeTelephoneEvent,
  type TelephoneEvent,
} from './telephone-event.ts';

const ALL_DIGITS = '0123456789*#ABCD';
const digits = fc.string({ unit: fc.constantFrom(...ALL_DIGITS.split('')), minLength: 1, maxLength: 12 });

function payloadOf(event: TelephoneEvent): Buffer {
  const payload = Buffer.alloc(TELEPHONE_EVENT_BYTES);
  writeTelephoneEvent(event, payload, 0);
  return payload;
}

const endOf = (digit: string): Buffer => payloadOf({ digit, end: true, durationSamples: 800 });

/** The packets of a sender, one frame per step: at their event's timestamp. */
function packetsOf(text: string): { timestamp: number; event: TelephoneEvent; frame: number }[] {
  const sender = new DigitSender();
  sender.queue(text);
  const packets: { timestamp: number; event: TelephoneEvent; frame: number }[] = [];
  let timestamp = 0;
  for (let frame = 0; !sender.isIdle; frame += 1) {
    const step = sender.next();
    if (step?.first) timestamp = frame * 160;
    if (step) packets.push({ timestamp, event: step.event, frame });
  }
  return packets;
}

describe('telephone events', () => {
  it('are laid out as RFC 4733 section 2.3 specifies', () => {
    expect([...payloadOf({ digit: '#', end: true, durationSamples: 800 })]).toEqual([11, 0x80 | 10, 0x03, 0x20]);
    expect(parseTelephoneEvent(Uint8Array.of(15, 0x0a, 0x01, 0x40))).toEqual({
      digit: 'D',
      end: false,
      durationSamples: 320,
    });
  });

  it.each([[[]], [[1, 2, 3]], [[16, 0x80, 0, 160]], [[36, 0x80, 0, 160]]])('are not digits: %j', (bytes) => {
    expect(parseTelephoneEvent(Uint8Array.from(bytes))).toBeNull();
  });

  it('keep only the characters that a telephone has keys for', () => {
    expect(onlyDigits('1 (800) a-b*#x')).toBe('1800AB*#');
  });
});

describe('sent digits', () => {
  it('are held for 100 ms, end three times, and are 60 ms apart', () => {
    const packets = packetsOf('12');
    const first = packets.filter(({ event }) => event.digit === '1').map(({ event }) => event);
    expect(first.map(({ durationSamples }) => durationSamples)).toEqual([160, 320, 480, 640, 800, 800, 800]);
    expect(first.map(({ end }) => end)).toEqual([false, false, false, false, true, true, true]);
    expect(packets.find(({ event }) => event.digit === '2')?.frame).toBe(8);
  });

  it('leave a frame to the voice between two of them', () => {
    const frames = packetsOf('77').map(({ frame }) => frame);
    expect(frames).not.toContain(7);
    expect(frames).toContain(8);
  });
});

describe('received digits', () => {
  it('come once each and in order, although packets are lost, duplicated and out of order', () => {
    const fate = fc.record({ lost: fc.boolean(), doubled: fc.boolean(), delay: fc.integer({ min: 0, max: 2 }) });
    fc.assert(
      fc.property(digits, fc.array(fate, { minLength: 1, maxLength: 84 }), (text, fates) => {
        const sent = packetsOf(text);
        const arriving = sent
          .flatMap((packet, at) => {
            const { lost, doubled, delay } = fates[at % fates.length] ?? { lost: false, doubled: false, delay: 0 };
            // At least one end packet of each event arrives: the last one.
            if (lost && !(packet.event.end && sent[at + 1]?.event.digit !== packet.event.digit)) return [];
            return Array.from({ length: doubled ? 2 : 1 }, () => ({ ...packet, arrives: packet.frame + delay }));
          })
          .toSorted((one, other) => one.arrives - other.arrives);
        const lastEnds = new Set(sent.filter(({ event }) => event.end).map(({ timestamp }) => timestamp));
        const receiver = new DigitReceiver();
        const heard = arriving
          .map(({ timestamp, event }) => receiver.receive(timestamp, payloadOf(event)) ?? '')
          .join('');
        const arrived = [...lastEnds].filter((timestamp) =>
          arriving.some((packet) => packet.timestamp === timestamp && packet.event.durationSamples >= 320),
        );
        expect(heard).toHaveLength(arrived.length);
        if (arrived.length === lastEnds.size) expect(heard).toBe(text);
      }),
    );
  });

  it('are detected from a sender that never sets the end bit', () => {
    const receiver = new DigitReceiver();
    const heard = [160, 320, 480].map((durationSamples) =>
      receiver.receive(1_000, payloadOf({ digit: '5', end: false, durationSamples })),
    );
    expect(heard).toEqual([null, '5', null]);
  });

  it('are not repeated by the late end of an earlier one, even across the wrap', () => {
    const receiver = new DigitReceiver();
    expect(receiver.receive(0xffff_ff00, endOf('1'))).toBe('1');
    expect(receiver.receive(0x0000_0400, endOf('2'))).toBe('2');
    expect(receiver.receive(0xffff_ff00, endOf('1'))).toBeNull();
  });

  it('are received from a sender whose clock restarts', () => {
    const receiver = new DigitReceiver();
    const end = endOf('1');
    expect(receiver.receive(1_000_000, end)).toBe('1');
    expect(receiver.receive(100, end)).toBe('1');
    receiver.reset();
    expect(receiver.receive(100, end)).toBe('1');
  });
});

/** Energy at one frequency, by correlation. */
const energyAt = (samples: Int16Array, hz: number): number => {
  let real = 0;
  let imaginary = 0;
  for (const [at, sample] of samples.entries()) {
    real += sample * Math.cos((2 * Math.PI * hz * at) / 8_000);
    imaginary += sample * Math.sin((2 * Math.PI * hz * at) / 8_000);
  }
  return Math.hypot(real, imaginary) / samples.length;
};

describe('digits as tones', () => {
  it.each([
    ['1', 697, 1_209],
    ['5', 770, 1_336],
    ['#', 941, 1_477],
    ['D', 941, 1_633],
  ])('%s is %d Hz and %d Hz, and silence after it', (digit, row, column) => {
    const frames = digitTones(digit);
    const tone = Int16Array.from(frames.slice(0, 5).flatMap((frame) => [...frame]));
    const strongest = [697, 770, 852, 941, 1_209, 1_336, 1_477, 1_633].toSorted(
      (one, other) => energyAt(tone, other) - energyAt(tone, one),
    );
    expect(new Set(strongest.slice(0, 2))).toEqual(new Set([row, column]));
    expect(frames).toHaveLength(8);
    expect(frames.slice(5).every((frame) => frame.every((sample) => sample === 0))).toBe(true);
  });
});
