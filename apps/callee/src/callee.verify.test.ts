import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSipp, type Sipp } from '@outdial/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asJson, startCallee } from '../test/callee.ts';
import type { CalleeNetwork } from './compose.ts';

/** The number that every scenario calls. */
const NUMBER = '+12025550100';
const LIMIT_MS = 60_000;

let folder: string;
let network: CalleeNetwork | undefined;
let sipp: Sipp | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outdial-callee-'));
});
afterEach(async () => {
  await sipp?.stop();
  await network?.stop();
  await rm(folder, { recursive: true });
});

/** One call of SIPp to a persona, and how it went by the callee's journal. */
async function called(transport: 'udp' | 'tcp', persona: string, scenario: string): Promise<readonly unknown[]> {
  const journal = join(folder, 'journal.jsonl');
  network = await startCallee({
    OUTDIAL_CALLEE_TABLE: asJson(new Map([[NUMBER, persona]])),
    OUTDIAL_CALLEE_JOURNAL: journal,
  });
  sipp = await startSipp({ scenario, transport, calleePort: network.sipPort });
  expect(await sipp.finished()).toEqual({ code: 0, complaints: '' });
  const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}

describe.each(['udp', 'tcp'] as const)('SIPp over %s', (transport) => {
  test(
    'calls, is answered, and hangs up',
    async () => {
      expect(await called(transport, 'friendly', 'calls')).toMatchObject([
        { event: 'invite', from: '+12025550199' },
        { event: 'ringing', sip_code: 180 },
        { event: 'answered' },
        { event: 'ended', by: 'caller', outcome: 'completed', detail: 'BYE' },
      ]);
    },
    LIMIT_MS,
  );

  test(
    'finds the callee busy',
    async () => {
      expect(await called(transport, 'busy', 'calls_and_is_refused')).toMatchObject([
        { event: 'invite' },
        { event: 'ended', by: 'callee', outcome: 'refused', sip_code: 486 },
      ]);
    },
    LIMIT_MS,
  );

  test(
    'is hung up',
    async () => {
      const lines = await called(transport, 'impatient', 'calls_and_is_hung_up');
      expect(lines.at(-1)).toMatchObject({ event: 'ended', by: 'callee', outcome: 'completed', detail: 'BYE' });
    },
    LIMIT_MS,
  );

  test(
    'cancels while it rings',
    async () => {
      const lines = await called(transport, 'never_answers', 'calls_and_cancels');
      expect(lines.at(-1)).toMatchObject({ event: 'ended', by: 'caller', outcome: 'cancelled', sip_code: 487 });
    },
    LIMIT_MS,
  );

  test(
    'holds the call and resumes it',
    async () => {
      const lines = await called(transport, 'silent', 'calls_and_holds');
      expect(lines.at(-1)).toMatchObject({ event: 'ended', by: 'caller', outcome: 'completed', detail: 'BYE' });
    },
    LIMIT_MS,
  );
});
