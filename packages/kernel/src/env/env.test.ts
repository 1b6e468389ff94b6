import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EnvError, parseEnv } from './parse-env.ts';
import { envChoice, envFlag, envInteger, envLogLevel, envPostgresUrl, envRedisUrl } from './values.ts';

const spec = {
  PORT: { schema: envInteger({ min: 1, max: 65_535 }).default(3_000), description: 'Port of the API.' },
  PRETTY: { schema: envFlag.default(false), description: 'Readable logs.' },
  LOG_LEVEL: { schema: envLogLevel.default('info'), description: 'Lowest level that is logged.' },
  CARRIER: { schema: envChoice(['simulated', 'sip']).default('simulated'), description: 'How calls are placed.' },
  DATABASE_URL: { schema: envPostgresUrl, description: 'Address of Postgres.' },
  REDIS_URL: { schema: envRedisUrl.optional(), description: 'Address of Redis.' },
  NAME: { schema: z.string().optional(), description: 'Anything.' },
};
const DATABASE_URL = 'postgres://localhost/outdial';

function errorMessageOf(given: NodeJS.ProcessEnv): string {
  try {
    parseEnv(spec, { DATABASE_URL, ...given });
  } catch (error) {
    if (error instanceof EnvError) return error.message;
    throw error;
  }
  throw new Error('The settings were accepted.');
}

describe('the environment', () => {
  it('is parsed into typed values, with defaults for what is not set', () => {
    const env = parseEnv(spec, { DATABASE_URL, PRETTY: '1' });
    expect(env).toEqual({ PORT: 3_000, PRETTY: true, LOG_LEVEL: 'info', CARRIER: 'simulated', DATABASE_URL });
  });

  it('treats an empty value as not set', () => {
    expect(parseEnv(spec, { DATABASE_URL, PORT: '' }).PORT).toBe(3_000);
  });

  it.each([
    ['PORT', '99999', 'PORT=99999 cannot be used: it must be a whole number from 1 to 65535.'],
    ['PORT', '0', 'PORT=0 cannot be used: it must be a whole number from 1 to 65535.'],
    ['PORT', '80.5', 'PORT=80.5 cannot be used: it must be a whole number from 1 to 65535.'],
    ['PORT', '1e99', 'PORT=1e99 cannot be used: it must be a whole number from 1 to 65535.'],
    ['PORT', '0x10', 'PORT=0x10 cannot be used: it must be a whole number from 1 to 65535.'],
    ['PRETTY', 'maybe', 'PRETTY=maybe cannot be used: it must be 1, true, 0 or false.'],
    [
      'LOG_LEVEL',
      'loud',
      'LOG_LEVEL=loud cannot be used: it must be trace, debug, info, warn, error, fatal or silent.',
    ],
    ['CARRIER', 'foo', 'CARRIER=foo cannot be used: it must be simulated or sip.'],
  ])('rejects %s=%s in one sentence with the value and what is allowed', (name, value, sentence) => {
    expect(errorMessageOf({ [name]: value })).toBe(sentence);
  });

  it.each([
    ['DATABASE_URL', 'mysql://user:hunter2@localhost', 'postgresql:// or postgres://'],
    ['DATABASE_URL', 'user:hunter2@localhost', 'postgresql:// or postgres://'],
  ])('never repeats the value of %s, which carries a password', (name, value, schemes) => {
    expect(errorMessageOf({ [name]: value })).toBe(
      `${name} cannot be used: it must be a URL that begins with ${schemes}.`,
    );
  });

  it.each(['redis://:hunter2@h1:6379,h2:6379', 'rediss://:hunter2@h1,h2', 'http://:hunter2@localhost'])(
    'rejects the Redis URL %s without its password',
    (url) => {
      const sentence = errorMessageOf({ REDIS_URL: url });
      expect(sentence).toMatch(/^REDIS_URL cannot be used: it .* redis\+sentinel:\/\/ or redis\+cluster:\/\//);
      expect(sentence).not.toContain('hunter2');
    },
  );

  it.each([
    ['postgresql://user:hunter2@h1,,h2/outdial', 'its list of hosts has an empty entry'],
    ['postgresql://user:hunter2@h1:5432,h2:99999/outdial', 'it must name ports from 1 to 65535'],
    [
      'postgresql://user:hunter2@h1,h2/outdial?target_session_attrs=standby',
      'its target_session_attrs must be read-write, primary or any, since a standby takes no writes',
    ],
  ])('rejects %s in one sentence without the password', (url, sentence) => {
    expect(errorMessageOf({ DATABASE_URL: url })).toBe(`DATABASE_URL cannot be used: ${sentence}.`);
  });

  it.each([
    'postgresql://user@h1,h2/outdial',
    'postgresql://user@h1:5432,[::1]:5433/outdial?target_session_attrs=primary',
    'postgresql://user@h1/outdial?host=h1,h2',
  ])('accepts several Postgres hosts: %s', (url) => {
    expect(parseEnv(spec, { DATABASE_URL: url }).DATABASE_URL).toBe(url);
  });

  it('accepts a comma in the password of Postgres', () => {
    const url = 'postgresql://user:hunter,2@localhost/outdial';
    expect(parseEnv(spec, { DATABASE_URL: url }).DATABASE_URL).toBe(url);
  });

  it('says what a missing required setting is for', () => {
    expect(errorMessageOf({ DATABASE_URL: '' })).toBe('DATABASE_URL is not set. Address of Postgres.');
  });

  it('reports everything that is wrong at once, one sentence each', () => {
    expect(errorMessageOf({ PORT: 'x', PRETTY: 'maybe', DATABASE_URL: undefined }).split('\n')).toEqual([
      expect.stringMatching(/^PORT=x /),
      expect.stringMatching(/^PRETTY=maybe /),
      expect.stringMatching(/^DATABASE_URL is not set/),
    ]);
  });

  it('quotes a value that would control the terminal, and cuts a long one', () => {
    expect(errorMessageOf({ PORT: '\u001B[2J' })).toContain('PORT="\\u001b[2J" cannot');
    expect(errorMessageOf({ PORT: '9'.repeat(500) }).length).toBeLessThan(200);
  });

  it('accepts exactly the whole numbers within the bounds', () => {
    const taken = Array.from({ length: 20 }, (_, index) => index - 5).filter(
      (value) => envInteger({ min: 0, max: 10 }).safeParse(String(value)).data === value,
    );
    expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each([
    'redis://localhost',
    'rediss://:secret@example.net:6380/1',
    'unix:///run/redis.sock',
    'REDIS://localhost',
    'redis+sentinel://:p@h1,h2:26380/mymaster/3',
  ])('accepts %s for Redis', (url) => {
    expect(parseEnv(spec, { DATABASE_URL, REDIS_URL: url }).REDIS_URL).toBe(url);
  });
});
