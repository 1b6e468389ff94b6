import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startCallee } from '../test/callee.ts';
import { openCaller, type Caller } from '../test/caller.ts';
import type { CalleeNetwork } from './compose.ts';
import { openJournal } from './journal.ts';
import { StartError } from './start-error.ts';

const lineSchema = z.looseObject({ at: z.iso.datetime(), event: z.string(), to: z.string(), sip_call_id: z.string() });

let folder: string;
let path: string;
let network: CalleeNetwork;
let caller: Caller;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outdial-callee-'));
  path = join(folder, 'journal.jsonl');
  network = await startCallee({ OUTDIAL_CALLEE_JOURNAL: path });
  caller = await openCaller({ sipPort: network.sipPort });
});

afterEach(async () => {
  await caller.close();
  await network.stop();
  await rm(folder, { recursive: true });
});

/** The lines of one number, oldest first. */
async function linesOf(number: string) {
  const text = await readFile(path, 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => lineSchema.parse(JSON.parse(line)));
  return lines.filter(({ to }) => to === number);
}

describe('the journal', () => {
  it('records a call that the caller hung up', async () => {
    const call = await caller.call('+12025550100');
    await call.answered();
    call.hangUp();
    await call.ended();
    expect(await linesOf('+12025550100')).toMatchObject([
      { event: 'invite', from: '+12025550199', persona: 'friendly' },
      { event: 'ringing', sip_code: 180 },
      { event: 'answered' },
      { event: 'ended', by: 'caller', outcome: 'completed', detail: 'BYE', sip_code: 200, q850_cause: 16 },
    ]);
    expect(new Set((await linesOf('+12025550100')).map((line) => line.sip_call_id)).size).toBe(1);
  });

  it('counts the packets of an ended call', async () => {
    const call = await caller.call('+12025550100');
    await call.turn(1);
    call.hangUp();
    await call.ended();
    const counts = { sent: z.int().min(30), received: z.int().min(30), lost: z.int(), late: z.int() };
    const rtp = z.strictObject({ ...counts, lost_there: z.int().nullable() });
    const last = (await linesOf('+12025550100')).at(-1);
    expect(z.looseObject({ event: z.literal('ended'), rtp }).safeParse(last).error).toBeUndefined();
    expect((await linesOf('+12025550100'))[0]).not.toHaveProperty('rtp');
  });

  it('records a call that the callee hung up', async () => {
    const call = await caller.call('+12025550105');
    await call.ended();
    // The callee's end is in the journal once the caller has confirmed it, which the caller does not wait for.
    await expect
      .poll(async () => (await linesOf('+12025550105')).at(-1))
      .toMatchObject({ event: 'ended', by: 'callee', detail: 'BYE' });
  });

  it('records a canceled call', async () => {
    const call = await caller.call('+12025550102');
    await call.until(() => call.rang.length > 0);
    call.hangUp();
    await call.ended();
    expect((await linesOf('+12025550102')).at(-1)).toMatchObject({
      event: 'ended',
      by: 'caller',
      outcome: 'cancelled',
      detail: 'CANCEL',
      sip_code: 487,
    });
  });

  it('records a rejection, an unassigned number, and a number that never responds', async () => {
    const busy = await caller.call('+12025550101');
    const nobody = await caller.call('+442071838750');
    await caller.call('+12025550112');
    await Promise.all([busy.ended(), nobody.ended()]);
    const refused = { event: 'ended', by: 'callee', outcome: 'refused' };
    expect(await linesOf('+12025550101')).toMatchObject([{ event: 'invite' }, { ...refused, sip_code: 486 }]);
    expect(await linesOf('+442071838750')).toMatchObject([
      { event: 'invite', persona: 'unassigned' },
      { ...refused, sip_code: 404 },
    ]);
    expect(await linesOf('+12025550112')).toMatchObject([{ event: 'invite' }, { ...refused, sip_code: null }]);
  });

  it('has one line for every INVITE that reached a telephone, however many there are', async () => {
    const calls = await Promise.all(Array.from({ length: 20 }, () => caller.call('+12025550101')));
    await Promise.all(calls.map((call) => call.ended()));
    const invites = (await linesOf('+12025550101')).filter(({ event }) => event === 'invite');
    expect(new Set(invites.map((line) => line.sip_call_id)).size).toBe(20);
    expect(invites).toHaveLength(20);
  });

  it('is readable by its owner alone, and is appended to', async () => {
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await (await caller.call('+12025550101')).ended();
    const before = await readFile(path, 'utf8');
    openJournal(path).close();
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('that cannot be written stops the start, and names the setting to change', () => {
    const missing = join(folder, 'missing', 'journal.jsonl');
    const open = () => openJournal(missing);
    expect(open).toThrow(StartError);
    expect(open).toThrow(/ENOENT.*OUTDIAL_CALLEE_JOURNAL/);
  });
});
