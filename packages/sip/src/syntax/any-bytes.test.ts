import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { INVITE_LINES, RESPONSE_LINES, wire } from '../../test/messages.ts';
import { parseChallenge } from '../digest/challenge.ts';
import { parseSdp } from '../sdp/parse-sdp.ts';
import { readAudio } from '../sdp/read-audio.ts';
import { serializeMessage } from './message.ts';
import { parseNameAddr } from './name-addr.ts';
import { parseMessage } from './parse-message.ts';
import { StreamFramer } from './stream-framer.ts';
import { parseSipUri } from './uri.ts';
import { parseVia } from './via.ts';

const SDP =
  'v=0\r\nc=IN IP4 192.0.2.1\r\nm=audio 4000 RTP/AVP 0 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=ptime:20\r\n';
const SEEDS = [
  wire(INVITE_LINES),
  wire([...INVITE_LINES, `Content-Length: ${SDP.length}`, 'Content-Type: application/sdp'], SDP),
  wire(RESPONSE_LINES),
  wire([...INVITE_LINES, 'Contact: "a \\" <b" <sip:x@[2001:db8::1]:5070;transport=tcp?h=v>;q=0.1, <sip:y>']),
  wire([...INVITE_LINES, 'Authorization: Digest username="a,b", realm="x\\"y", nonce="z", uri="sip:q", response="0"']),
];

/** A valid message with bytes replaced, removed, inserted or duplicated. */
const damaged = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(fc.record({ at: fc.nat(), cut: fc.nat({ max: 40 }), put: fc.uint8Array({ maxLength: 20 }) }), {
      maxLength: 6,
    }),
  )
  .map(([seed, edits]) => {
    let bytes = seed;
    for (const { at, cut, put } of edits) {
      const from = at % (bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(Math.min(bytes.length, from + cut))]);
    }
    return bytes;
  });

const anyBytes = fc.oneof(
  damaged,
  fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
);

/** Also text-only input: quotes, brackets and escapes in any order. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.constantFrom('"', '\\', '<', '>', ';', ',', '=', ':', '@', ' ', '%', 'sip', '0', '[', ']', 'a'), {
      maxLength: 60,
    })
    .map((parts) => parts.join('')),
);

it('the parser returns one of its outcomes for any bytes', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      expect(['request', 'response', 'refused', 'malformed']).toContain(parseMessage(bytes).kind);
    }),
    { numRuns: 3_000 },
  );
});

it('a parsed message can be written, and parses to the same message again', () => {
  fc.assert(
    fc.property(damaged, (bytes) => {
      const first = parseMessage(bytes);
      const message = first.kind === 'request' ? first.request : first.kind === 'response' ? first.response : undefined;
      if (message === undefined) return;
      const second = parseMessage(serializeMessage(message));
      expect(second.kind).toBe(message.kind);
      const again =
        second.kind === 'request' ? second.request : second.kind === 'response' ? second.response : undefined;
      expect(again).toMatchObject({ via: message.via, from: message.from, to: message.to, cseq: message.cseq });
      expect(again?.callId).toBe(message.callId);
    }),
    { numRuns: 3_000 },
  );
});

it('every header parser survives any text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const read of [parseSipUri, parseNameAddr, parseVia, parseChallenge]) read(text);
      const description = parseSdp(`v=0\n${text}`);
      if (description !== undefined) readAudio(description, ['PCMU', 'PCMA']);
    }),
    { numRuns: 5_000 },
  );
});

it('a stream is framed the same way wherever the network splits it', () => {
  const stream = Buffer.concat([
    wire([...INVITE_LINES, `l: ${SDP.length}`], SDP),
    Buffer.from('\r\n'),
    wire([...RESPONSE_LINES, 'Content-Length: 0']),
    wire([...INVITE_LINES, 'Content-Length:   4'], 'abcd'),
  ]);
  const whole = messagesOf(new StreamFramer().push(stream));
  expect(whole).toHaveLength(3);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 30 }), (cuts) => {
      const framer = new StreamFramer();
      const edges = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
      const pieces = edges.slice(1).flatMap((end, at) => framer.push(stream.subarray(edges[at], end)));
      expect(messagesOf(pieces)).toEqual(whole);
    }),
  );
});

it('a framer terminates on any bytes, and buffers no more than its limits', () => {
  fc.assert(
    fc.property(fc.array(anyBytes, { maxLength: 10 }), (chunks) => {
      const framer = new StreamFramer();
      for (const chunk of chunks)
        for (const framed of framer.push(chunk)) expect(framed.kind).toMatch(/message|ping|broken/);
    }),
  );
});

function messagesOf(framed: ReturnType<StreamFramer['push']>): string[] {
  return framed.flatMap((entry) => (entry.kind === 'message' ? [entry.bytes.toString()] : []));
}

it('a truncated message is never taken for a whole one', () => {
  const whole = wire([...INVITE_LINES, `Content-Length: ${SDP.length}`], SDP);
  for (let length = 0; length < whole.length; length += 1) {
    expect(parseMessage(whole.subarray(0, length)).kind).toMatch(/refused|malformed/);
  }
});
