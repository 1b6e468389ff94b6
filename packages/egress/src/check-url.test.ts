import { describe, expect, test } from 'vitest';
import { checkUrl } from './check-url.ts';
import { envEgressAllow, envEgressProxy } from './env.ts';
import type { EgressScope } from './policy.ts';

const allowed = envEgressAllow.parse('127.0.0.0/8, 10.20.0.0/16');
const problemOf = (url: string, scope: EgressScope = 'internet') => {
  const result = checkUrl(url, { scope, allowed });
  return result.ok ? null : result.problem;
};

const PRIVATE_HOSTS = `
  https://127.0.0.1/ https://2130706433/ https://0x7f.1/ https://0177.0.0.1/ https://127.1/ https://[::1]/
  https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://169.254.169.254/latest/ https://localhost/
  https://LOCALHOST./ https://a.localhost/ https://metadata.google.internal/ https://printer.local/
  https://router.home.arpa/ https://１２７.0.0.1/ https://10.20.0.1/
`
  .trim()
  .split(/\s+/);

describe('on the internet', () => {
  test.each([
    'https://example.com/hooks?a=1',
    'https://example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1]/',
  ])('accepts %s', (url) => expect(problemOf(url)).toBeNull());

  test.each([
    ['example.com', 'must be a URL'],
    ['http://example.com/', 'must begin with https://'],
    ['ftp://example.com/', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['https://user:secret@example.com/', 'user name or password'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com:25/', 'port 443'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'at most 2048 characters'],
  ])('explains what is wrong with %s', (url, problem) => expect(problemOf(url)).toContain(problem));

  test.each(PRIVATE_HOSTS)('rejects a private host however it is written: %s', (url) =>
    expect(problemOf(url)).toBe('must name a host on the public internet'),
  );
});

describe('with the allow list', () => {
  test.each(['http://127.0.0.1:4000/', 'http://10.20.3.4/', 'https://10.20.3.4:25/', 'http://receiver.internal/'])(
    'accepts %s',
    (url) => expect(problemOf(url, 'allow_list')).toBeNull(),
  );
  test.each([
    ['http://10.21.0.1/', 'must begin with https://'],
    ['https://10.21.0.1/', 'must name a host on the public internet'],
    ['https://8.8.8.8:25/', 'must use port 443'],
  ])('still rejects %s', (url, problem) => expect(problemOf(url, 'allow_list')).toContain(problem));
});

describe('settings', () => {
  test('name the entry that is no network', () => {
    const result = envEgressAllow.safeParse('127.0.0.0/8,intranet');
    expect(result.error?.issues[0]?.message).toContain('"intranet" is neither');
  });
  test('accept an HTTP proxy alone', () => {
    expect(envEgressProxy.parse('http://proxy.example:3128').hostname).toBe('proxy.example');
    expect(envEgressProxy.safeParse('socks5://proxy.example').success).toBe(false);
  });
});
