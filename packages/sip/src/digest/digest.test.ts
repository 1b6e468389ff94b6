import { createHash } from 'node:crypto';
import { ManualClock } from '@outdial/testkit/async';
import { describe, expect, it } from 'vitest';
import { Headers } from '../syntax/headers.ts';
import { NO_BODY } from '../syntax/message.ts';
import { computeDigest } from './algorithms.ts';
import { Authorizer } from './authorizer.ts';
import { parseChallenge, strongestChallenges } from './challenge.ts';
import { Verifier } from './verifier.ts';

const MUFASA = {
  username: 'Mufasa',
  password: 'Circle of Life',
  realm: 'http-auth@example.org',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  method: 'GET',
  uri: '/dir/index.html',
  quality: { nonceCount: '00000001', clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' },
} as const;

function challenge(...values: string[]): Headers {
  return new Headers(values.map((value) => ['www-authenticate', value] as const));
}

const FIRST = 'Digest realm="r", nonce="n1", qop="auth,auth-int", opaque="o", algorithm=MD5';
const ALICE = { username: 'alice', password: 'secret' };

describe('the digest', () => {
  it('equals the examples in RFC 7616 section 3.9.1', () => {
    expect(computeDigest({ ...MUFASA, algorithm: 'MD5' })).toBe('8ca523f5e9506fed4657c9700eebdbec');
    expect(computeDigest({ ...MUFASA, algorithm: 'SHA-256' })).toBe(
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    );
  });

  it('without qop equals RFC 2069', () => {
    const input = {
      algorithm: 'MD5',
      username: 'Mufasa',
      password: 'CircleOfLife',
      realm: 'testrealm@host.com',
      nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
      method: 'GET',
      uri: '/dir/index.html',
      quality: null,
    } as const;
    // The digest of the example in RFC 2069 section 2.4, as corrected by erratum 749.
    expect(computeDigest(input)).toBe('1949323746fe6a43ef61f9606e7febea');
  });
});

describe('challenges', () => {
  it('the strongest supported one of a realm is answered (RFC 8760 section 2.4)', () => {
    const both = [
      'Digest realm="r", nonce="a", algorithm=MD5, qop="auth"',
      'Digest realm="r", nonce="b", algorithm=SHA-256, qop="auth"',
    ];
    expect(strongestChallenges(both).map(({ nonce }) => nonce)).toEqual(['b']);
  });

  it.each([
    'Basic realm="x"',
    'Digest nonce="n"',
    'Digest realm="r", nonce="n", algorithm=SHA-512-256',
    'Digest realm="r", nonce="n", qop="auth-conf"',
  ])('%s is not supported', (value) => {
    expect(parseChallenge(value)).toBeUndefined();
  });
});

const answer = (authorizer: Authorizer) => {
  const headers = new Headers();
  authorizer.authorize({ kind: 'request', method: 'INVITE', uri: 'sip:x@y.test', headers, body: NO_BODY });
  return headers;
};

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

describe('answering challenges as a client', () => {
  it('repeats opaque, and counts the uses of a nonce', () => {
    const authorizer = new Authorizer(ALICE);
    expect(authorizer.accept(401, challenge(FIRST))).toBe(true);
    expect(answer(authorizer).get('authorization')).toMatch(/opaque="o", qop=auth, nc=00000001/);
    expect(answer(authorizer).get('authorization')).toMatch(/nc=00000002/);
  });

  it('a fresh nonce without stale=true means that the password is wrong', () => {
    const authorizer = new Authorizer(ALICE);
    authorizer.accept(401, challenge(FIRST));
    expect(authorizer.accept(401, challenge(FIRST.replace('n1', 'n2')))).toBe(false);
    expect(authorizer.accept(401, challenge(`${FIRST.replace('n1', 'n3')}, stale=TRUE`))).toBe(true);
    expect(answer(authorizer).get('authorization')).toMatch(/nonce="n3".*nc=00000001/);
  });

  it('gives up on a server that calls every nonce stale', () => {
    const authorizer = new Authorizer(ALICE);
    const accepted = Array.from({ length: 10 }, () => authorizer.accept(401, challenge(`${FIRST}, stale=true`)));
    expect(accepted.filter(Boolean)).toHaveLength(4);
  });

  it('covers the body where the server accepts nothing else (qop=auth-int, RFC 7616 section 3.4.3)', () => {
    const authorizer = new Authorizer(ALICE);
    expect(authorizer.accept(401, challenge('Digest realm="r", nonce="n", qop="auth-int"'))).toBe(true);
    const headers = new Headers();
    const body = Buffer.from('v=0\r\n');
    authorizer.authorize({ kind: 'request', method: 'INVITE', uri: 'sip:x@y.test', headers, body });
    const sent = headers.get('authorization') ?? '';
    expect(sent).toContain('qop=auth-int');
    const [, clientNonce = ''] = /cnonce="([^"]+)"/.exec(sent) ?? [];
    const who = md5(`${ALICE.username}:r:${ALICE.password}`);
    const what = md5(`INVITE:sip:x@y.test:${md5('v=0\r\n')}`);
    expect(sent).toContain(`response="${md5(`${who}:n:00000001:${clientNonce}:auth-int:${what}`)}"`);
  });

  it('prefers auth where the server offers auth-int too', () => {
    expect(parseChallenge('Digest realm="r", nonce="n", qop="auth-int, auth"')).toMatchObject({ qop: 'auth' });
  });

  it('answers a proxy and the far end, each in its own field', () => {
    const authorizer = new Authorizer(ALICE);
    authorizer.accept(407, new Headers([['proxy-authenticate', 'Digest realm="p", nonce="1"']]));
    authorizer.accept(401, challenge(FIRST));
    const headers = answer(authorizer);
    expect(headers.get('proxy-authorization')).toMatch(/realm="p"/);
    expect(headers.get('authorization')).toMatch(/realm="r"/);
  });

  it('answers nothing without credentials', () => {
    expect(new Authorizer(undefined).accept(401, challenge(FIRST))).toBe(false);
  });
});

function exchange(password: string) {
  const clock = new ManualClock();
  const verifier = new Verifier({
    realm: 'r',
    clock,
    passwordOf: (user) => (user === 'alice' ? 'secret' : undefined),
  });
  const authorizer = new Authorizer({ username: 'alice', password });
  authorizer.accept(401, challenge(...verifier.challenges()));
  const answer = () => {
    const headers = new Headers();
    authorizer.authorize({ kind: 'request', method: 'INVITE', uri: 'sip:x', headers, body: NO_BODY });
    return headers.get('authorization') ?? '';
  };
  return { clock, verifier, answer };
}

describe('challenging as a server', () => {
  it('accepts only the right password', () => {
    const right = exchange('secret');
    expect(right.answer()).toMatch(/algorithm=SHA-256/);
    expect(right.verifier.verify(right.answer(), 'INVITE')).toBe('accepted');
    const wrong = exchange('guess');
    expect(wrong.verifier.verify(wrong.answer(), 'INVITE')).toBe('refused');
  });

  it('accepts credentials once, only for their method and only with a nonce that it issued', () => {
    const { verifier, answer } = exchange('secret');
    const value = answer();
    expect(verifier.verify(value, 'BYE')).toBe('refused');
    expect(verifier.verify(value, 'INVITE')).toBe('accepted');
    expect(verifier.verify(value, 'INVITE')).toBe('stale');
    expect(exchange('secret').verifier.verify(value, 'INVITE')).toBe('refused');
    expect(verifier.verify('Digest', 'INVITE')).toBe('refused');
  });

  it('calls a nonce stale after five minutes', () => {
    const { clock, verifier, answer } = exchange('secret');
    clock.turn(300_001);
    expect(verifier.verify(answer(), 'INVITE')).toBe('stale');
  });
});
