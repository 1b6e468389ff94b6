import { describe, expect, it } from 'vitest';
import { parseRAck } from './cseq.ts';
import { readQ850Cause, readRetryAfterSeconds, readSessionExpires } from './field-values.ts';
import { Headers, InvalidHeaderError } from './headers.ts';
import { formatNameAddr, parseNameAddr } from './name-addr.ts';
import { formatSipUri, parseSipUri, userOfUri } from './uri.ts';
import { formatVia, parseVia, stampVia } from './via.ts';

describe('SIP URIs (RFC 3261 section 19.1)', () => {
  it.each([
    ['sip:bob@example.test', { scheme: 'sip', user: 'bob', host: 'example.test', port: null }],
    [
      'SIPS:Bob:pw@Example.Test:5061;transport=tcp',
      { scheme: 'sips', user: 'Bob:pw', host: 'example.test', port: 5061 },
    ],
    ['sip:[2001:db8::1]:5070', { user: null, host: '[2001:db8::1]', port: 5070 }],
    ['sip:+1-202;phone-context=x@192.0.2.1;lr', { user: '+1-202;phone-context=x', host: '192.0.2.1' }],
    ['sip:a@b.test?Route=%3Csip:evil%3E', { user: 'a', host: 'b.test' }],
  ])('%s', (text, parts) => {
    expect(parseSipUri(text)).toMatchObject(parts);
  });

  it.each(['tel:+1202', 'sip:', 'sip:a@', 'sip:a@b:0', 'sip:a@b:70000', 'sip:a b@c', 'http://x', 'sip:a@b>'])(
    '%s is not one',
    (text) => {
      expect(parseSipUri(text)).toBeUndefined();
    },
  );

  it('are written without the headers that they ask for', () => {
    const uri = parseSipUri('sip:a@b.test;transport=tcp?Route=x');
    expect(uri && formatSipUri(uri)).toBe('sip:a@b.test;transport=tcp');
  });

  it('yield the number without password, parameters and escapes', () => {
    expect(userOfUri('sip:%2B1202;npdi:pw@x.test')).toBe('+1202');
    expect(userOfUri('tel:+1202;isub=1')).toBe('+1202');
    expect(userOfUri('sip:x.test')).toBeNull();
    expect(userOfUri('sip:50%@x.test')).toBe('50%');
  });
});

describe('addresses (RFC 3261 section 20.10)', () => {
  it('without brackets, parameters belong to the field', () => {
    const address = parseNameAddr('sip:a@b.test;tag=1');
    expect(address?.uri).toBe('sip:a@b.test');
    expect(address?.params.get('tag')).toBe('1');
  });

  it('with brackets, parameters inside belong to the URI', () => {
    expect(parseNameAddr('<sip:a@b.test;lr>;tag=2')).toMatchObject({ uri: 'sip:a@b.test;lr' });
  });

  it('a display name may hold any character in its quotes', () => {
    const text = '"a \\"<b>\\", c" <sip:a@b.test>';
    const address = parseNameAddr(text);
    expect(address?.displayName).toBe('a "<b>", c');
    expect(address && formatNameAddr(address)).toBe(text);
  });

  it.each(['', '<>', '<sip:a', 'no uri', '"open <sip:a@b>'])('%j is not one', (text) => {
    expect(parseNameAddr(text)).toBeUndefined();
  });
});

const stamp = (text: string) => {
  const via = parseVia(text);
  return via && formatVia(stampVia(via, { address: '198.51.100.7', port: 40_000 }));
};

describe('Via', () => {
  it('records the source where it differs (RFC 3261 section 18.2.1)', () => {
    expect(stamp('SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bK1')).toBe(
      'SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bK1;received=198.51.100.7',
    );
    expect(stamp('SIP/2.0/UDP 198.51.100.7;branch=z9hG4bK1')).toBe('SIP/2.0/UDP 198.51.100.7;branch=z9hG4bK1');
  });

  it('fills in rport and then always received (RFC 3581 section 4)', () => {
    expect(stamp('SIP/2.0/UDP 198.51.100.7;rport;branch=z9hG4bK1')).toBe(
      'SIP/2.0/UDP 198.51.100.7;rport=40000;branch=z9hG4bK1;received=198.51.100.7',
    );
  });
});

describe('header fields', () => {
  it('a value with a line break is rejected: it would inject header fields', () => {
    expect(() => new Headers().add('subject', 'x\r\nRoute: <sip:evil.test>')).toThrow(InvalidHeaderError);
    expect(() => new Headers().add('sub ject', 'x')).toThrow(InvalidHeaderError);
  });

  it('Reason: only the Q.850 cause counts (RFC 3326)', () => {
    expect(readQ850Cause(new Headers([['reason', 'SIP;cause=600, Q.850 ;cause=17;text="User, busy"']]))).toBe(17);
    expect(readQ850Cause(new Headers([['reason', 'Q.850;cause=999']]))).toBeNull();
  });

  it('Retry-After may carry a comment and parameters', () => {
    expect(readRetryAfterSeconds(new Headers([['retry-after', '120 (busy);duration=3']]))).toBe(120);
    expect(readRetryAfterSeconds(new Headers([['retry-after', 'soon']]))).toBeNull();
  });

  it('Session-Expires may name its refresher (RFC 4028 section 4)', () => {
    expect(readSessionExpires(new Headers([['x', '90;Refresher=UAC']]))).toEqual({
      intervalSeconds: 90,
      refresher: 'uac',
    });
    expect(readSessionExpires(new Headers([['x', '90']]))).toEqual({ intervalSeconds: 90, refresher: null });
  });

  it('RAck has three parts (RFC 3262 section 7.2)', () => {
    expect(parseRAck('776656 1 INVITE')).toEqual({ rseq: 776_656, number: 1, method: 'INVITE' });
    expect(parseRAck('1 INVITE')).toBeUndefined();
  });
});
