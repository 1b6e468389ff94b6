import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceArgs } from '@outdial/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openLossyProxy } from '../../test/lossy-proxy.ts';
import { openProduct, type Product } from '../../test/product.ts';
import { runProgram, type Ended, type ProgramOptions } from '../../test/run-program.ts';
import type { SeededAccount } from '../../test/seeds.ts';

let product: Product;
let account: SeededAccount;
let dir: string;
beforeAll(async () => {
  product = await openProduct();
});
beforeEach(async () => {
  account = await product.account();
  dir = await mkdtemp(join(tmpdir(), 'outdial-client-'));
  return () => rm(dir, { recursive: true });
});
afterAll(() => product.close());

const keyed = () => ({ OUTDIAL_API_KEY: account.key, OUTDIAL_BASE_URL: product.url, XDG_CONFIG_HOME: dir });
const start = (args: readonly string[], options: ProgramOptions = { env: keyed() }) =>
  runProgram([...serviceArgs('apps/client/src/main.ts'), ...args], options);

/** Runs a command to its end. No output of any command contains the key. */
async function outdial(args: readonly string[], options?: ProgramOptions): Promise<Ended> {
  const ended = await start(args, options).ended;
  expect(ended.stdout + ended.stderr).not.toContain(account.key);
  return ended;
}
const jsonLines = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const CALL = ['call', '+12025550100', '--agent', 'Reminder', '--var', 'name=Ada'];

const env = () => ({ XDG_CONFIG_HOME: dir });

describe('login', () => {
  it('keeps the address and the key in a file that only its owner reads', async () => {
    const input = `${product.url}/\n${account.key}\n`;
    const { code, stdout } = await outdial(['login'], { env: env(), input });
    const path = join(dir, 'outdial', 'config.json');
    expect([code, stdout]).toEqual([0, `Logged in to Northwind Dental at ${product.url}. The key is in ${path}.\n`]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dir, 'outdial'))).mode & 0o777).toBe(0o700);
    const shown = await outdial(['account'], { env: env() });
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Northwind Dental')]);
  });

  it('keeps profiles apart; the environment wins over a login, and a named profile over the environment', async () => {
    const other = await product.account();
    const of = (key: string) => ({ env: env(), input: `${key}\n` });
    await outdial(['login', '--url', product.url], of(account.key));
    await outdial(['login', '--url', product.url, '--profile', 'other'], of(other.key));
    const idWith = async (args: readonly string[], more = {}) => {
      const { stdout } = await outdial(['account', '--json', ...args], { env: { ...env(), ...more } });
      return jsonLines(stdout)[0];
    };
    expect(await idWith([])).toMatchObject({ account: { id: account.id } });
    expect(await idWith(['--profile', 'other'])).toMatchObject({ account: { id: other.id } });
    expect(await idWith([], { OUTDIAL_API_KEY: other.key })).toMatchObject({ account: { id: other.id } });
    const named = await idWith(['--profile', 'other'], { OUTDIAL_API_KEY: account.key });
    expect(named).toMatchObject({ account: { id: other.id } });
    const unknown = await outdial(['account', '--profile', 'x'], { env: env() });
    expect([unknown.code, unknown.stderr]).toEqual([1, 'There is no profile x. Run: outdial login --profile x\n']);
  });

  it('sends its key to no other server, whatever address the environment has', async () => {
    const requests: string[] = [];
    const other = createServer(({ url = '' }, response) => {
      requests.push(url);
      response.writeHead(500).end();
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await outdial(['login', '--url', product.url], { env: env(), input: `${account.key}\n` });
    const elsewhere = { ...env(), OUTDIAL_BASE_URL: `http://127.0.0.1:${port}` };
    for (const command of ['account', 'mcp']) {
      const { code, stdout, stderr } = await outdial([command], { env: elsewhere });
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('Set OUTDIAL_API_KEY too')]);
    }
    expect(requests).toEqual([]);
    const same = await outdial(['account'], { env: { ...env(), OUTDIAL_BASE_URL: `${product.url}/` } });
    expect(same.code).toBe(0);
  });

  it('sends a key over http: to other machines only if that is allowed', async () => {
    // Not the address of a loopback interface, though it leads to this machine.
    const remote = `http://0.0.0.0:${new URL(product.url).port}`;
    const keyedTo = { ...env(), OUTDIAL_API_KEY: account.key, OUTDIAL_BASE_URL: remote };
    for (const command of ['account', 'mcp']) {
      const { code, stdout, stderr } = await outdial([command], { env: keyedTo });
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('OUTDIAL_ALLOW_HTTP=true')]);
    }
    const login = await outdial(['login', '--url', remote], { env: env(), input: `${account.key}\n` });
    expect([login.code, login.stderr]).toEqual([1, expect.stringContaining('in the clear')]);
    const allowed = await outdial(['account'], { env: { ...keyedTo, OUTDIAL_ALLOW_HTTP: 'true' } });
    expect([allowed.code, allowed.stderr]).toEqual([0, '']);
  });

  it('keeps nothing that the server refuses, or that is no address', async () => {
    const refused = await outdial(['login', '--url', product.url], { env: env(), input: 'od_live_wrong\n' });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    const wrong = await outdial(['login', '--url', 'calls'], { env: env(), input: 'x\n' });
    expect([wrong.code, wrong.stderr]).toEqual([2, 'The address must be a URL such as https://calls.example.com.\n']);
    expect((await outdial(['login', '--url', product.url], { env: env() })).code).toBe(2);
    await expect(stat(join(dir, 'outdial'))).rejects.toThrow('ENOENT');
    const missing = await outdial(['account'], { env: env() });
    expect([missing.code, missing.stderr]).toEqual([1, 'You are not logged in. Run: outdial login\n']);
  });
});

describe('call', () => {
  it('0: shows each state as it comes, and the transcript at the end', async () => {
    const { code, stdout } = await outdial([...CALL, '--follow']);
    expect(code).toBe(0);
    const states = [...stdout.matchAll(/^\d\d:\d\d:\d\d {2}(.*)$/gm)].map(([, state]) => state);
    expect(states).toEqual(expect.arrayContaining(['queued', 'dialing', 'ringing', 'in_progress', 'ended']));
    expect(stdout).toMatch(/^Call [0-9a-f-]{36} to \+12025550100\n/);
    expect(stdout).toMatch(/\nended: \w+, \d+ s, [\d.]+ USD\n\n(?:callee: .*\n)*agent: Hello Ada, this is a reminder/);
  });

  it('3: the followed call was not answered; with --json one document a line', async () => {
    const { code, stdout } = await outdial([
      'call',
      '+12025550101',
      '--agent',
      account.agentId,
      '--var',
      'name=Ada',
      '--follow',
      '--json',
    ]);
    expect(code).toBe(3);
    const lines = jsonLines(stdout);
    expect(lines[0]).toMatchObject({ event: { type: 'queued' } });
    expect(lines.at(-1)).toMatchObject({ call: { status: 'ended', ended_reason: 'busy' } });
  });

  it('130: an interruption ends the following, and not the call', async () => {
    const following = start([...CALL, '--follow']);
    await following.printed(/queued/);
    following.interrupt();
    const { code, stderr } = await following.ended;
    expect([code, stderr]).toEqual([
      130,
      expect.stringMatching(/^The call goes on\. .*outdial calls end [0-9a-f-]{36}\n$/),
    ]);
    const { stdout } = await outdial(['calls', 'list', '--json']);
    expect(jsonLines(stdout)[0]).toMatchObject({ calls: [{ callee_number: '+12025550100' }] });
  });

  it('0: plans a call, which is listed with its time, shown with its retries, and cancelled', async () => {
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const schedule = ['--at', at, '--retry', '3', '--retry-on', 'busy,no_answer', '--retry-after', '60,3600'];
    const placed = await outdial([...CALL, ...schedule]);
    const [, id = ''] = /^Call ([0-9a-f-]{36}) to \+12025550100: scheduled for /.exec(placed.stdout) ?? [];
    expect([placed.code, placed.stdout]).toEqual([0, `Call ${id} to +12025550100: scheduled for ${at}\n`]);
    const listed = await outdial(['calls', 'list', '--status', 'scheduled']);
    expect(listed.stdout).toMatch(new RegExp(`^CREATED .* DUE +WAITING FOR\n.* scheduled .* ${at} +time\n$`));
    const shown = await outdial(['calls', 'get', id]);
    expect(shown.stdout).toMatch(new RegExp(`^scheduled for +${at}$`, 'm'));
    expect(shown.stdout).toMatch(/^attempt +1$/m);
    const ended = await outdial(['calls', 'end', id]);
    expect(ended.stdout).toBe(`Call ${id} has ended.\n`);
  });

  it('0: a followed call that is due now is dialed and shown to its end', async () => {
    const { code, stdout } = await outdial([...CALL, '--at', new Date().toISOString(), '--follow']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}scheduled for .*\n(?:.*\n)*\d\d:\d\d:\d\d {2}queued\n/m);
    expect(stdout).toMatch(/^ended: \w+, \d+ s/m);
  });

  it('0: the same key places one call', async () => {
    const once = async () => (await outdial([...CALL, '--idempotency-key', 'order 1', '--json'])).stdout;
    const [first, second] = [jsonLines(await once())[0], jsonLines(await once())[0]];
    expect([first, second]).toMatchObject([{ call: { id: expect.any(String) } }, { call: { id: expect.any(String) } }]);
    const { stdout } = await outdial(['calls', 'list', '--json']);
    expect(jsonLines(stdout)).toMatchObject([{ calls: [expect.anything()] }]);
  });

  it('1: says how to repeat a call whose outcome is unknown, and that places no second one', async () => {
    // The requests arrive, and no answer comes back.
    const proxy = await openLossyProxy(product.url, ({ headers }) => headers['idempotency-key'] !== undefined);
    onTestFinished(() => proxy.close());
    const variables = ['--var', "name=Ada's aunt"];
    const lost = { env: { ...keyed(), OUTDIAL_BASE_URL: proxy.url } };
    const { code, stdout, stderr } = await outdial(
      ['call', '+12025550101', '--agent', account.agentId, ...variables],
      lost,
    );
    expect([code, stdout]).toEqual([1, '']);
    const [, key = ''] = /--idempotency-key ([0-9a-f-]{36})\n/.exec(stderr) ?? [];
    const quoted = `'name=Ada'\\''s aunt'`;
    expect(stderr).toContain(
      `never dials twice:\n  outdial call +12025550101 --agent ${account.agentId} --var ${quoted} --idempotency-key ${key}\n`,
    );
    const again = [
      'call',
      '+12025550101',
      '--agent',
      account.agentId,
      ...variables,
      '--idempotency-key',
      key,
      '--json',
    ];
    const json = await outdial(again, lost);
    expect(jsonLines(json.stderr)).toMatchObject([
      { unknown_outcome: { idempotency_key: key } },
      { error: { code: 'connection_failed', idempotency_key: key } },
    ]);
    expect((await outdial(again)).code).toBe(0);
    const listed = await outdial(['calls', 'list', '--json']);
    expect(jsonLines(listed.stdout)).toMatchObject([{ calls: [expect.anything()] }]);
  });

  it('1: says what the server refuses, with the request', async () => {
    const refused = await outdial(['call', '+49301234567', '--agent', 'Reminder', '--var', 'name=Ada']);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/\(request [^)]+\)\n$/);
    const json = await outdial(['call', '+49301234567', '--agent', account.agentId, '--var', 'name=Ada', '--json']);
    expect(jsonLines(json.stderr)[0]).toMatchObject({ error: { code: 'destination_not_allowed' } });
    const nobody = await outdial(['call', '+12025550100', '--agent', 'Nobody']);
    expect([nobody.code, nobody.stderr]).toEqual([1, 'There is no agent named Nobody. Run: outdial agents list\n']);
  });
});

it('2: a wrong command line says what is wrong, and sends nothing', async () => {
  for (const [args, sentence] of [
    [['dial'], /unknown command 'dial'/],
    [['call', '+12025550100'], /--agent <name>/],
    [[...CALL, '--var', 'name'], /name=value/],
    [['calls', 'list', '--limit', '0'], /whole number/],
    [[...CALL, '--retry', '11'], /from 2 to 10/],
    [[...CALL, '--retry', '2', '--retry-on', 'declined'], /some of these.*: silence_timeout/],
    [[...CALL, '--retry', '2', '--retry-after', 'soon'], /whole numbers of seconds/],
    [[...CALL, '--retry-on', 'busy'], /need --retry/],
    [['calls', 'list', '--status', 'over'], /one of: scheduled, queued/],
    [['account', '--key', 'x'], /unknown option '--key'/],
  ] as const) {
    const { code, stdout, stderr } = await outdial(args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(sentence)]);
  }
  const help = await outdial(['--help']);
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('Exit codes: 0 done, 1 refused')]);
});

it('lists and shows what the account has', async () => {
  const agents = await outdial(['agents', 'list']);
  expect(agents.stdout).toMatch(new RegExp(`^NAME .*\\nReminder +${account.agentId} +scripted +1 +name\\n$`));
  const numbers = await outdial(['numbers', 'list']);
  expect(numbers.stdout).toMatch(/^NUMBER +CALLS\n\+\d+ +yes +default\n$/);
  const shown = await outdial(['account']);
  expect(shown.stdout).toMatch(/\nbalance +50 USD\n.*\nopen calls +0 of \d+\n$/s);
  for (const command of [['agents', 'list'], ['numbers', 'list'], ['account'], ['calls', 'list']]) {
    expect(jsonLines((await outdial([...command, '--json'])).stdout)).toHaveLength(1);
  }
});

it('calls are listed, shown, ended, and their recordings downloaded', async () => {
  await outdial([...CALL, '--follow']);
  const listed = await outdial(['calls', 'list', '--status', 'ended', '--to', '+12025550100', '--limit', '1']);
  const [, id = ''] = /\n\S+ +([0-9a-f-]{36}) +\+12025550100 +ended/.exec(listed.stdout) ?? [];
  const shown = await outdial(['calls', 'get', id]);
  expect(shown.stdout).toContain('\nagent: Hello Ada, this is a reminder');
  const ended = await outdial(['calls', 'end', id]);
  expect([ended.code, ended.stdout]).toEqual([0, `Call ${id} has ended.\n`]);
  const path = join(dir, 'call.wav');
  const save = () => outdial(['calls', 'recording', id, '--output', path]);
  await expect.poll(async () => (await save()).code).toBe(0);
  expect((await readFile(path)).toString('latin1', 0, 4)).toBe('RIFF');
  const again = await save();
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('EEXIST')]);
  const unknown = await outdial(['calls', 'get', crypto.randomUUID()]);
  expect([unknown.code, unknown.stdout]).toEqual([1, '']);
});

it('the example of the SDK calls everyone in a file once, however often it runs', async () => {
  const path = join(dir, 'people.csv');
  await writeFile(path, 'number,name\n+12025550101,Ada\n+12025550103,Zoë\n12,Sam\n');
  const example = [
    '--conditions=@outdial/source',
    '--import=tsx',
    'packages/sdk/examples/call-a-csv.ts',
    path,
    account.agentId,
  ];
  for (const _ of [1, 2]) {
    const { code, stdout, stderr } = await runProgram(example, { env: keyed() }).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').toSorted()).toEqual([
      '',
      '+12025550101,busy,' + (/busy,(\d+)/.exec(stdout)?.[1] ?? ''),
      '+12025550103,declined,' + (/declined,(\d+)/.exec(stdout)?.[1] ?? ''),
      '12,invalid_request,',
    ]);
  }
  const { stdout } = await outdial(['calls', 'list', '--json']);
  expect(jsonLines(stdout)).toMatchObject([{ calls: [expect.anything(), expect.anything()] }]);
});
