import { postgresHosts } from '@outdial/postgres-hosts';
import { z } from 'zod';
import type { Service } from '../stack/service.ts';
import type { Fault } from './fault.ts';
import { PATIENCE_MS, until } from './observe.ts';
import { promoteStandby } from './promote-standby.ts';

const ATTEMPTS = 30;
const SUPERSEDED_WITHIN_MS = 5_000;

/** The killed primary comes back beside the promoted one and takes writes, and one API leads to it alone. */
export const postgresTwoPrimaries: Fault = {
  name: 'postgres-two-primaries',
  expectation: 'an API on the old timeline accepts nothing and says that it is superseded; the others go on',
  carrier: 'simulated',
  layout: 'replicated',
  async run(context) {
    const { stack, clients } = context;
    const { account } = await promoteStandby(context);
    const { replicated } = stack;
    if (replicated === null) throw new Error('this fault needs a stack with a standby');
    await replicated.startFirst();
    const stray = await stack.strayApi(replicated.firstUrl);
    try {
      const before = await callsIn(replicated.firstUrl);
      stray.launch();
      await until('the stray API answers', PATIENCE_MS, async () => (await readinessOf(stray)).postgres === 'up');
      const startedMs = performance.now();
      await until('it says superseded', PATIENCE_MS, async () => (await readinessOf(stray)).timeline === 'superseded');
      const noticedMs = performance.now() - startedMs;
      const answers: string[] = [];
      let accepted = 0;
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { answer } = await clients.place(account, { toNumber: stack.number('busy') }, { api: stray });
        answers.push(answer.kind === 'refused' ? answer.code : answer.kind);
        const beside = await clients.placeWithRetries(account, { toNumber: stack.number('busy') });
        accepted += Number(beside.kind === 'accepted');
      }
      const after = await callsIn(replicated.firstUrl);
      const wrong = answers.filter((answer) => answer !== 'service_unavailable');
      const last = await readinessOf(stray);
      return {
        injected: 1,
        hit: answers.length,
        recoveryMs: null,
        timings: [{ what: 'superseded', tookMs: noticedMs, promisedMs: SUPERSEDED_WITHIN_MS }],
        violations: [
          ...wrong.map((answer) => `the superseded API answered ${answer}`),
          ...(after === before ? [] : [`the old timeline has ${after - before} more calls`]),
          ...(accepted === ATTEMPTS ? [] : [`the others accepted ${accepted} of ${ATTEMPTS} calls`]),
          ...(last.status === 'not_ready' && last.timeline === 'superseded'
            ? []
            : [`readiness: ${JSON.stringify(last)}`]),
        ],
      };
    } finally {
      await stray.close();
      await replicated.killFirst();
    }
  },
};

const readinessSchema = z.object({
  status: z.string(),
  postgres: z.string().optional(),
  timeline: z.string().optional(),
});

async function readinessOf({ url }: Service): Promise<z.infer<typeof readinessSchema>> {
  const response = await fetch(`${url}/readyz`);
  return readinessSchema.parse(await response.json());
}

async function callsIn(databaseUrl: string): Promise<number> {
  const client = postgresHosts(databaseUrl).client();
  await client.connect();
  const { rows } = await client.query<{ calls: number }>('SELECT count(*)::int AS calls FROM calls');
  await client.end();
  return rows[0]?.calls ?? 0;
}
