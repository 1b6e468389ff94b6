import { loadavg } from 'node:os';
import { copyStores } from '../copies.ts';
import { alwaysOpen, savePolicy } from '../policies/policies.ts';
import { formatFigure, type Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import { query, type Stage } from '../stage.ts';
import { measureAccepting } from './policies/accepting.ts';
import { measureClaims } from './policies/claims.ts';
import { measureLookUps } from './policies/look-ups.ts';

/** What a calling policy with hours, regions and caps costs a claim, an accepted call, and a look-up in the process. */
export async function measurePolicies(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  await query(stage.subject.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const sayLoad = () => say(`load of the machine: ${loadavg()[0]?.toFixed(1)} in the last minute`);
  sayLoad();
  const none = await copyStores(stage, 'bench_policies_none', 1);
  const us = await copyStores(stage, 'bench_policies_us', 2);
  await savePolicy(us, account, alwaysOpen());
  const figures: Figure[] = [];
  // Said at once: accepting fails on a machine that is too busy to answer in time.
  for (const measure of [measureLookUps, measureClaims, measureAccepting]) {
    const figure = await measure({ none, us }, account, say);
    say(formatFigure(figure));
    figures.push(figure);
  }
  sayLoad();
  return figures;
}
