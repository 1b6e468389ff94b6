import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePostgresUrl } from './postgres-url.ts';

interface Seen {
  readonly host: string;
  readonly port: number;
}

function hostsIn(url: string): readonly Seen[] | string {
  const parsed = parsePostgresUrl(url);
  return 'problem' in parsed ? parsed.problem : parsed.hosts.map(({ host, port }) => ({ host, port }));
}

describe('the URL of Postgres', () => {
  it.each<[string, readonly Seen[]]>([
    ['postgresql://u@h1/db', [{ host: 'h1', port: 5_432 }]],
    ['postgresql://u:p@h1:1,h2:2,h3:3/db', [1, 2, 3].map((port) => ({ host: `h${port}`, port }))],
    ['postgresql://h1,h2/db', ['h1', 'h2'].map((host) => ({ host, port: 5_432 }))],
    [
      'postgresql://h1:,h2:7/db',
      [
        { host: 'h1', port: 5_432 },
        { host: 'h2', port: 7 },
      ],
    ],
    [
      'postgresql://[::1]:6,[2001:db8::2]/db',
      [
        { host: '::1', port: 6 },
        { host: '2001:db8::2', port: 5_432 },
      ],
    ],
    ['postgresql://u:a,b@h1,h2', ['h1', 'h2'].map((host) => ({ host, port: 5_432 }))],
    ['postgresql://u@ignored:9/db?host=h1,h2&port=1,2', [1, 2].map((port) => ({ host: `h${port}`, port }))],
    ['postgresql://u@h1,h2/db?port=7', ['h1', 'h2'].map((host) => ({ host, port: 7 }))],
    [
      'postgresql://u@%2Frun%2Fpg,h2/db',
      [
        { host: '/run/pg', port: 5_432 },
        { host: 'h2', port: 5_432 },
      ],
    ],
    [
      'postgresql://u@/db?host=/run/pg,h2',
      [
        { host: '/run/pg', port: 5_432 },
        { host: 'h2', port: 5_432 },
      ],
    ],
  ])('names its hosts and ports: %s', (url, hosts) => {
    expect(hostsIn(url)).toEqual(hosts);
  });

  it.each<readonly [string, string]>([
    ['mysql://h1,h2/db', 'must be a URL'],
    ['postgresql://h1,,h2/db', 'empty entry'],
    ['postgresql://h1,/db', 'empty entry'],
    ['postgresql://h1:0,h2/db', 'ports from 1'],
    ['postgresql://h1:65536,h2/db', 'ports from 1'],
    ['postgresql://h1:1:2,h2/db', 'ports from 1'],
    ['postgresql://[::1,h2/db', 'not the name or address'],
    ['postgresql://[nonsense],h2/db', 'not the name or address'],
    ['postgresql://a b,h2/db', 'not the name or address'],
    ['postgresql://u@h1,h2/db?port=1,2,3', 'differ in length'],
    ...['read-only', 'standby', 'prefer-standby', '', 'READ-WRITE'].map(
      (target) => [`postgresql://h1/db?target_session_attrs=${target}`, 'must be read-write, primary or any'] as const,
    ),
  ])('is refused in one sentence: %s', (url, sentence) => {
    expect(hostsIn(url)).toContain(sentence);
  });

  it.each([
    ['postgresql://h1/db', 'any'],
    ['postgresql://h1/db?target_session_attrs=read-write', 'read-write'],
    ['postgresql://h1,h2/db', 'read-write'],
    ['postgresql://h1,h2/db?target_session_attrs=primary', 'primary'],
    ['postgresql://h1,h2/db?target_session_attrs=any', 'any'],
  ])('asks for a role, by default where it names several hosts: %s is %s', (url, target) => {
    expect(parsePostgresUrl(url)).toMatchObject({ target });
  });

  it('gives each host a URL for itself, with everything else as it was', () => {
    const parsed = parsePostgresUrl(
      'postgres://us%40er:p,w%2F@h1,[::1]:7/out%20dial?sslmode=require&target_session_attrs=any&options=-c%20a%3Db',
    );
    expect('hosts' in parsed && parsed.hosts.map(({ url }) => url)).toEqual(
      ['h1:5432', '[::1]:7'].map(
        (host) => `postgres://us%40er:p,w%2F@${host}/out%20dial?sslmode=require&options=-c%20a%3Db`,
      ),
    );
  });
});

/** Reads the hosts character by character, as the manual describes them: `[host][:port][,...]`. Null if they are not a list. */
function modelOf(list: string): readonly Seen[] | null {
  const seen: Seen[] = [];
  let host = '';
  let port: string | null = null;
  let isBracketed: 'no' | 'open' | 'closed' = 'no';
  for (const letter of `${list},`) {
    if (isBracketed === 'open') {
      if (letter === ']') isBracketed = 'closed';
      else if (!'0123456789abcdef:'.includes(letter)) return null;
      else host += letter;
    } else if (letter === ',') {
      const number = port === null || port === '' ? 5_432 : Number(port);
      if (host === '' || number < 1 || number > 65_535) return null;
      seen.push({ host, port: number });
      [host, port, isBracketed] = ['', null, 'no'];
    } else if (port !== null) {
      if (!'0123456789'.includes(letter) || port.length === 5) return null;
      port += letter;
    } else if (letter === ':') port = '';
    else if (letter === '[' && host === '' && isBracketed === 'no') isBracketed = 'open';
    else if (letter === '[' || letter === ']' || isBracketed === 'closed') return null;
    else host += letter;
  }
  return isBracketed === 'open' ? null : seen;
}

/** What lists are made of, right and wrong. The addresses are whole: whether one is valid is not the list's concern. */
const PIECES = [
  'h1',
  'db.example.com',
  '10.0.0.1',
  '::1',
  '[::1]',
  '[2001:db8::2]',
  '[',
  ']',
  ':',
  ',',
  '5432',
  '0',
  '65536',
];

describe('a list of hosts', () => {
  it('is read as the model reads it, whatever it consists of', () => {
    const lists = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(''));
    let valid = 0;
    fc.assert(
      fc.property(lists, (list) => {
        fc.pre(list.includes(','));
        const model = modelOf(list);
        const found = hostsIn(`postgresql://user:pass,word@${list}/outdial`);
        // An address of IPv6 that is none is refused, where the model looks at its characters alone.
        if (model === null) expect(found).toBeTypeOf('string');
        else if (found !== 'a name in its list of hosts is not the name or address of a host') {
          expect(found).toEqual(model);
          valid += 1;
        } else expect(list).toMatch(/\[[^\]]*\]/);
      }),
      { numRuns: 2_000 },
    );
    expect(valid).toBeGreaterThan(50);
  });

  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().filter((address) => URL.canParse(`http://[${address}]`)),
  );
  const entry = fc.record({ host, port: fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }) });
  it('has every host with its port, or 5432, beside any user, password and database', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 2, maxLength: 5 }),
        fc.record({ user: fc.string(), password: fc.string(), database: fc.string() }),
        (entries, { user, password, database }) => {
          const list = entries.map((one) => {
            const name = one.host.includes(':') ? `[${one.host}]` : one.host;
            return one.port === undefined ? name : `${name}:${one.port}`;
          });
          const [userInUrl, passwordInUrl, path] = [user, password, database].map(encodeURIComponent);
          const found = hostsIn(`postgresql://${userInUrl}:${passwordInUrl}@${list.join(',')}/${path}?sslmode=require`);
          expect(found).toEqual(entries.map((one) => ({ host: one.host, port: one.port ?? 5_432 })));
        },
      ),
    );
  });
});
