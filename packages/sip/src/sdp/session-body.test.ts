import { describe, expect, it } from 'vitest';
import { Headers } from '../syntax/headers.ts';
import { hasForeignBody, sessionBodyOf } from './session-body.ts';

const SDP = 'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\n';
const ISUP = Buffer.from([0x01, 0x00, 0x0d, 0x0a, 0x2d, 0x2d, 0xff, 0x00]);

const message = (type: string | null, body: Buffer | string) => ({
  headers: new Headers(type === null ? [] : [['content-type', type]]),
  body: Buffer.from(body),
});

const part = (type: string, body: Buffer | string) =>
  Buffer.concat([Buffer.from(`\r\n--gw-1\r\nContent-Type: ${type}\r\n\r\n`), Buffer.from(body)]);
const multipart = (...parts: Buffer[]) =>
  message('multipart/mixed; boundary="gw-1"', Buffer.concat([...parts, Buffer.from('\r\n--gw-1--\r\n')]));

describe('the session description of a message is found', () => {
  it.each([
    ['alone', message('application/sdp', SDP), SDP],
    ['without a type', message(null, SDP), SDP],
    ['before ISUP', multipart(part('application/sdp', SDP), part('application/isup;version=itu-t92+', ISUP)), SDP],
    ['after ISUP', multipart(part('application/isup', ISUP), part('Application/SDP; charset=utf-8', SDP)), SDP],
    ['nowhere', multipart(part('application/isup', ISUP)), ''],
    ['in a message without a body', message(null, ''), ''],
    ['with an undeclared boundary', message('multipart/mixed', SDP), ''],
    ['in an unclosed part', message('multipart/mixed;boundary=gw-1', part('application/sdp', SDP)), ''],
    [
      'after more parts than are read',
      multipart(...Array.from({ length: 8 }, () => part('a/b', 'x')), part('application/sdp', SDP)),
      '',
    ],
  ])('%s', (_, from, wanted) => {
    expect(sessionBodyOf(from).toString()).toBe(wanted);
  });

  it('a body without a session description is foreign', () => {
    expect(hasForeignBody(multipart(part('application/isup', ISUP)))).toBe(true);
    expect(hasForeignBody(multipart(part('application/isup', ISUP), part('application/sdp', SDP)))).toBe(false);
    expect(hasForeignBody(message('application/isup', ISUP))).toBe(true);
    expect(hasForeignBody(message('application/isup', ''))).toBe(false);
    expect(hasForeignBody(message('application/sdp', SDP))).toBe(false);
  });
});
