import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRedisUrl, redisHosts, RedisUrlError } from './redis-url.ts';

const name = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,20}[a-z0-9])?$/);
const host = fc.oneof(name, fc.ipV4(), fc.constant('::1'), fc.constant('fd00::a:1'));
const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
const hosts = fc.array(fc.record({ host, port }), { minLength: 1, maxLength: 5 });
const secret = fc.string({ unit: 'grapheme', maxLength: 12 });

const written = (entries: readonly { readonly host: string; readonly port: number | undefined }[]) =>
  entries
    .map((one) => `${one.host.includes(':') ? `[${one.host}]` : one.host}${one.port ? `:${one.port}` : ''}`)
    .join(',');
const login = (username: string, password: string) =>
  username || password ? `${encodeURIComponent(username)}:${encodeURIComponent(password)}@` : '';

test('a URL of Sentinels is read back as it was written, with the default port where there is none', () => {
  const primary = fc.stringMatching(/^[\w.-]{1,20}$/);
  const database = fc.option(fc.integer({ min: 0, max: 99_999 }), { nil: undefined });
  fc.assert(
    fc.property(
      hosts,
      primary,
      database,
      secret,
      secret,
      fc.boolean(),
      (entries, primaryName, db, user, password, tls) => {
        const scheme = tls ? 'rediss+sentinel' : 'redis+sentinel';
        const end = db === undefined ? '' : `/${db}`;
        expect(parseRedisUrl(`${scheme}://${login(user, password)}${written(entries)}/${primaryName}${end}`)).toEqual({
          kind: 'sentinel',
          sentinels: entries.map((entry) => ({ host: entry.host, port: entry.port ?? 26_379 })),
          primaryName,
          database: db ?? 0,
          username: user || undefined,
          password: password || undefined,
          tls,
        });
      },
    ),
  );
});

test('a URL of a cluster is read back as it was written, with the default port where there is none', () => {
  fc.assert(
    fc.property(hosts, secret, secret, fc.boolean(), (entries, user, password, tls) => {
      const scheme = tls ? 'REDISS+cluster' : 'redis+cluster';
      const address = parseRedisUrl(`${scheme}://${login(user, password)}${written(entries)}`);
      expect(address).toEqual({
        kind: 'cluster',
        nodes: entries.map((entry) => ({ host: entry.host, port: entry.port ?? 6_379 })),
        username: user || undefined,
        password: password || undefined,
        tls,
      });
      expect(redisHosts(address)).not.toContain('@');
    }),
  );
});

test('a socket has no host to name', () => {
  expect(redisHosts(parseRedisUrl('unix:///run/redis.sock'))).toBe('that address');
});

test('any other text is a plain URL or an error that says what to do, and never repeats the text', () => {
  const scheme = fc.constantFrom('redis', 'redis+sentinel', 'rediss+cluster', 'unix', 'http');
  const text = fc.oneof(
    fc.string(),
    fc.tuple(scheme, fc.string({ maxLength: 30 })).map(([one, rest]) => `${one}://:hunter2@${rest}`),
  );
  fc.assert(
    fc.property(text, (url) => {
      try {
        parseRedisUrl(url);
      } catch (error) {
        expect(error).toBeInstanceOf(RedisUrlError);
        expect(String(error)).not.toContain('hunter2');
      }
    }),
  );
});

test.each([
  ['redis+sentinel://h1,h2', 'it does not name the primary'],
  ['redis+sentinel://h1,h2/', 'it does not name the primary'],
  ['redis+sentinel:///mymaster', 'it names no host'],
  ['redis+sentinel://h1,/mymaster', 'each host must be a name'],
  ['redis+sentinel://h 1/mymaster', 'each host must be a name'],
  ['redis+sentinel://::1/mymaster', 'each host must be a name'],
  ['redis+sentinel://[::g]/mymaster', 'each host must be a name'],
  ['redis+sentinel://h1:0/mymaster', 'each port must be a whole number from 1 to 65535'],
  ['redis+sentinel://h1:65536/mymaster', 'each port must be a whole number from 1 to 65535'],
  ['redis+sentinel://h1:/mymaster', 'each port must be a whole number from 1 to 65535'],
  ['redis+sentinel://h1/my%20master', 'the name of the primary must consist of letters'],
  ['redis+sentinel://h1/mymaster/one', 'it must end with /<name of the primary>'],
  ['redis+sentinel://h1/mymaster/0/1', 'it must end with /<name of the primary>'],
  ['redis+sentinel://h1/mymaster?db=1', 'it has a `?` or a `#`'],
  ['redis+sentinel://:100%@h1/mymaster', 'write a percent sign as %25'],
  ['redis+cluster://h1,h2/1', 'it names a database, and a Redis Cluster has only one'],
  ['redis+cluster://', 'it names no host'],
  ['redis://h1:6379,h2:6379', 'it names several hosts: begin it with redis+sentinel:// or redis+cluster://'],
  ['redis://:a,b@h1,h2', 'it names several hosts'],
  ['redis+sentinels://h1/mymaster', 'it must be a URL that begins with'],
  ['h1:6379', 'it must be a URL that begins with'],
])('%s is refused with a sentence that says why', (url, reason) => {
  expect(() => parseRedisUrl(url)).toThrow(reason);
});

test('a comma in a password does not make a list', () => {
  expect(parseRedisUrl('redis://:a,b@h1')).toEqual({ kind: 'server', url: 'redis://:a,b@h1' });
  expect(parseRedisUrl('redis+cluster://:a,b@h1')).toMatchObject({
    password: 'a,b',
    nodes: [{ host: 'h1', port: 6_379 }],
  });
});
