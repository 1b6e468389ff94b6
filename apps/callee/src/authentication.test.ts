import { createHash } from 'node:crypto';
import { TEST_NUMBERS } from '@outdial/simulated-network';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startCallee } from '../test/callee.ts';
import { openCaller, type Caller } from '../test/caller.ts';
import { RawCaller } from '../test/raw-caller.ts';
import type { CalleeNetwork } from './compose.ts';

const [BUSY = ''] = [...TEST_NUMBERS].filter(([, { name }]) => name === 'busy').map(([number]) => number);
const USER = 'alice';
const PASSWORD = 'correct horse';

let network: CalleeNetwork;
let caller: Caller;
const open: RawCaller[] = [];

beforeAll(async () => {
  network = await startCallee({ OUTDIAL_CALLEE_USER: USER, OUTDIAL_CALLEE_PASSWORD: PASSWORD });
  caller = await openCaller({ sipPort: network.sipPort });
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((raw) => raw.close()));
});

afterAll(async () => {
  await caller.close();
  await network.stop();
});

async function openRaw(): Promise<RawCaller> {
  const raw = await RawCaller.open(network.sipPort);
  open.push(raw);
  return raw;
}

const HASHES = { 'SHA-256': 'sha256', MD5: 'md5' } as const;

/** RFC 7616 section 3.4, computed independently of the product's code. */
function answerTo(challenge: string, algorithm: keyof typeof HASHES, uri: string, password: string): string {
  const hash = (text: string) => createHash(HASHES[algorithm]).update(text).digest('hex');
  const field = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1] ?? '';
  const [realm, nonce, nc, cnonce] = [field('realm'), field('nonce'), '00000001', 'abcdef'];
  const secret = hash(`${USER}:${realm}:${password}`);
  const response = hash(`${secret}:${nonce}:${nc}:${cnonce}:auth:${hash(`INVITE:${uri}`)}`);
  const fields = [`username="${USER}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}"`];
  fields.push(`algorithm=${algorithm}, qop=auth, nc=${nc}, cnonce="${cnonce}"`);
  return `Proxy-Authorization: Digest ${fields.join(', ')}`;
}

/** The challenge of one algorithm out of a 407. */
function challengeOf(response: string, algorithm: string): string {
  const lines = response.split('\r\n').filter((line) => /^proxy-authenticate:/i.test(line));
  return lines.find((line) => new RegExp(`algorithm=${algorithm}\\b`).test(line)) ?? '';
}

describe('with a user and a password set', () => {
  it('a caller with both is connected', async () => {
    const call = await caller.call(BUSY, { credentials: { username: USER, password: PASSWORD } });
    expect(await call.ended()).toMatchObject({ outcome: 'refused', sipCode: 486 });
  });

  it.each([
    ['a wrong password', { username: USER, password: 'wrong' }],
    ['an unknown user', { username: 'mallory', password: PASSWORD }],
  ])('%s is rejected, and is not challenged again and again', async (_, credentials) => {
    const call = await caller.call(BUSY, { credentials });
    expect(await call.ended()).toMatchObject({ outcome: 'unauthorized', sipCode: 407 });
  });

  it('a caller without credentials is rejected', async () => {
    const call = await caller.call(BUSY);
    expect(await call.ended()).toMatchObject({ outcome: 'unauthorized', sipCode: 407 });
  });

  it.each(['SHA-256', 'MD5'] as const)('an answer in %s is accepted, and a wrong one is not', async (algorithm) => {
    const raw = await openRaw();
    const uri = `sip:${BUSY}@127.0.0.1:${network.sipPort}`;
    raw.invite(`right-${algorithm}`, BUSY);
    const challenge = challengeOf(await raw.heard('SIP/2.0 407'), algorithm);
    raw.invite(`right-${algorithm}`, BUSY, { cseq: 2, headers: [answerTo(challenge, algorithm, uri, PASSWORD)] });
    expect(await raw.heard('SIP/2.0 486')).toMatch(/^CSeq: 2 INVITE/m);

    const other = await openRaw();
    other.invite(`wrong-${algorithm}`, BUSY, { headers: [answerTo(challenge, algorithm, uri, 'wrong')] });
    expect(await other.heard('SIP/2.0 ')).toMatch(/^SIP\/2\.0 407/);
  });
});
