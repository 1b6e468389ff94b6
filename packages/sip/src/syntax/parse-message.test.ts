import { describe, expect, it } from 'vitest';
import { INVITE_LINES, RESPONSE_LINES, wire } from '../../test/messages.ts';
import { serializeMessage } from './message.ts';
import { parseMessage } from './parse-message.ts';

const [REQUEST_LINE, ...FIELDS] = INVITE_LINES;

function withLines(...lines: string[]) {
  return parseMessage(wire([...INVITE_LINES, ...lines]));
}

function requestOf(bytes: Buffer) {
  const parsed = parseMessage(bytes);
  if (parsed.kind !== 'request') throw new Error(`not a request: ${JSON.stringify(parsed)}`);
  return parsed.request;
}

describe('a valid message', () => {
  it('yields the mandatory fields', () => {
    const request = requestOf(wire(INVITE_LINES));
    expect(request).toMatchObject({ method: 'INVITE', uri: 'sip:bob@example.test', callId: '1@example.test' });
    expect(request.cseq).toEqual({ number: 7, method: 'INVITE' });
    expect(request.via).toMatchObject({ transport: 'UDP', host: '192.0.2.1', port: 5060 });
    expect(request.from).toMatchObject({ displayName: 'A', uri: 'sip:alice@example.test' });
  });

  it('may have compact names, folded lines and odd white space (RFC 3261 section 7.3)', () => {
    const request = requestOf(
      wire([
        'INVITE sip:bob@example.test SIP/2.0',
        'v :  SIP / 2.0 / UDP 192.0.2.1 : 5060 ;branch=z9hG4bKabc',
        'f:   <sip:alice@example.test>\r\n  ;tag=1',
        't: <sip:bob@example.test>',
        'i: 1@example.test',
        'CSEQ:  0007\r\n\t INVITE',
        'k: timer ,\r\n 100rel',
        'X:1800',
      ]),
    );
    expect(request.cseq.number).toBe(7);
    expect(request.headers.all('Supported')).toEqual(['timer', '100rel']);
    expect(request.headers.get('session-expires')).toBe('1800');
    expect(request.from.params.get('tag')).toBe('1');
  });

  it('yields the same list from several values in one line and from several lines', () => {
    const record = 'Record-Route: <sip:a.test;lr>, "x, y" <sip:b.test;lr>\r\nRecord-Route: <sip:c.test;lr>';
    const parsed = withLines(record);
    expect(parsed.kind === 'request' && parsed.request.headers.all('record-route')).toEqual([
      '<sip:a.test;lr>',
      '"x, y" <sip:b.test;lr>',
      '<sip:c.test;lr>',
    ]);
  });

  it('is cut to its Content-Length (RFC 3261 section 18.3)', () => {
    expect(requestOf(wire([...INVITE_LINES, 'l: 3'], 'abcdef')).body.toString()).toBe('abc');
    expect(requestOf(wire(INVITE_LINES, 'abcdef')).body.toString()).toBe('abcdef');
  });

  it('may follow empty lines, and may hold lines that are not header fields', () => {
    const parsed = parseMessage(
      Buffer.concat([Buffer.from('\r\n\r\n'), wire([...INVITE_LINES, 'no header at all', ': x'])]),
    );
    expect(parsed.kind).toBe('request');
  });

  it('may have a tel URI, an unknown method or an unknown scheme', () => {
    const fields = FIELDS.map((line) => line.replace('7 INVITE', '7 FROB'));
    expect(parseMessage(wire(['FROB nobodyKnows:xyz SIP/2.0', ...fields])).kind).toBe('request');
    const tel = FIELDS.map((line) => line.replace('<sip:bob@example.test>', 'tel:+12025550100'));
    expect(parseMessage(wire([REQUEST_LINE, ...tel])).kind).toBe('request');
  });

  it('may be a response without a phrase', () => {
    const [, ...fields] = RESPONSE_LINES;
    expect(parseMessage(wire(['SIP/2.0 180', ...fields]))).toMatchObject({
      kind: 'response',
      response: { status: 180 },
    });
  });

  it('is written as it was read', () => {
    const once = requestOf(wire([...INVITE_LINES, 'Allow: INVITE, ACK', 'Route: <sip:p.test;lr>'], 'body'));
    const twice = requestOf(serializeMessage(once));
    expect([...twice.headers].filter(([key]) => key !== 'content-length')).toEqual([...once.headers]);
    expect(twice.body).toEqual(once.body);
  });
});

describe('a request that can be rejected', () => {
  it.each([
    ['a body shorter than Content-Length', [...INVITE_LINES, 'Content-Length: 10'], 400],
    ['a Content-Length that is not a number', [...INVITE_LINES, 'Content-Length: -1'], 400],
    ['two Content-Lengths', [...INVITE_LINES, 'Content-Length: 0', 'l: 1'], 400],
    ['a CSeq with another method', INVITE_LINES.map((line) => line.replace('7 INVITE', '7 OPTIONS')), 400],
    ['another version', ['INVITE sip:bob@example.test SIP/7.0', ...FIELDS], 505],
  ])('%s', (_what, lines, status) => {
    expect(parseMessage(wire(lines))).toMatchObject({ kind: 'refused', status });
  });
});

const without = (name: string) => INVITE_LINES.filter((line) => !line.startsWith(name));

describe('a discarded message', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a keep-alive', Buffer.from('\r\n\r\n')],
    ['a message without its empty line', Buffer.from(INVITE_LINES.join('\r\n'))],
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a message without Via', wire(without('Via'))],
    ['a message without From', wire(without('From'))],
    ['a message without To', wire(without('To'))],
    ['a message without Call-ID', wire(without('Call-ID'))],
    ['a message without CSeq', wire(without('CSeq'))],
    ['two From', wire([...INVITE_LINES, 'From: <sip:eve@example.test>;tag=9'])],
    ['two Call-IDs', wire([...INVITE_LINES, 'i: other'])],
    ['a CSeq beyond 2**31', wire(INVITE_LINES.map((line) => line.replace('CSeq: 7', 'CSeq: 36893488147419103232')))],
    ['a Via with an impossible port', wire(INVITE_LINES.map((line) => line.replace(':5060', ':99999')))],
    ['a lone line feed that hides a field', wire([...INVITE_LINES, 'Subject: x\nRoute: <sip:evil.test;lr>'])],
    ['a NUL in a field', wire([...INVITE_LINES, 'Subject: x\0y'])],
    ['a status code of 700', wire(['SIP/2.0 700 What', ...RESPONSE_LINES.slice(1)])],
    ['a response whose body is cut off', wire([...RESPONSE_LINES, 'Content-Length: 100'], 'v=0')],
    ['a Request-URI in brackets', wire(['INVITE <sip:bob@example.test> SIP/2.0', ...FIELDS])],
    ['too many fields', wire([...INVITE_LINES, ...Array.from({ length: 300 }, (_, at) => `X-${at}: y`)])],
    ['a field that is too long', wire([...INVITE_LINES, `Subject: ${'x'.repeat(70_000)}`])],
  ])('%s', (_what, bytes) => {
    expect(parseMessage(bytes).kind).toBe('malformed');
  });
});
