import { expect, it } from 'vitest';
import { INVITE_LINES, wire } from '../../test/messages.ts';
import { StreamFramer } from './stream-framer.ts';

it('a message without Content-Length has no body (RFC 3261 section 18.3 demands one on streams)', () => {
  const framed = new StreamFramer().push(Buffer.concat([wire(INVITE_LINES), wire(INVITE_LINES)]));
  expect(framed.map(({ kind }) => kind)).toEqual(['message', 'message']);
});

it('a double CRLF asks for a pong, a single one does not (RFC 5626 section 3.5.1)', () => {
  expect(new StreamFramer().push(Buffer.from('\r\n\r\n'))).toEqual([{ kind: 'ping' }]);
  expect(new StreamFramer().push(Buffer.from('\r\n'))).toEqual([]);
});

it.each([
  ['an endless header', Buffer.from(`INVITE sip:x SIP/2.0\r\nX: ${'y'.repeat(20_000)}`)],
  ['a body beyond the limit', wire([...INVITE_LINES, 'Content-Length: 900000'])],
  ['a Content-Length that is not a number', wire([...INVITE_LINES, 'Content-Length: 1x'])],
  ['two different Content-Lengths', wire([...INVITE_LINES, 'Content-Length: 0', 'l: 5'])],
])('%s breaks the stream', (_what, bytes) => {
  const framer = new StreamFramer();
  expect(framer.push(bytes).map(({ kind }) => kind)).toEqual(['broken']);
  expect(framer.push(wire(INVITE_LINES))).toEqual([]);
});
