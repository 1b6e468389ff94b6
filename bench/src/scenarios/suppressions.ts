import { loadavg } from 'node:os';
import { copyStores } from '../copies.ts';
import { formatFigure, type Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import { query, type Stage } from '../stage.ts';
import { addEntries, type Lists } from '../suppressions/entries.ts';
import { measureAccepting } from './suppressions/accepting.ts';
import { measureClaims } from './suppressions/claims.ts';
import { measureImports } from './suppressions/imports.ts';

const ENTRIES = 10_000_000;

/** What do-not-call lists of ten million numbers cost a claim and an accepted call, and how fast they grow. */
export async function measureSuppressions(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  await query(stage.subject.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const sayLoad = () => say(`load of the machine: ${loadavg()[0]?.toFixed(1)} in the last minute`);
  sayLoad();
  const lists = await openLists(stage, account, say);
  const figures: Figure[] = [];
  // Said at once: accepting fails on a machine that is too busy to answer in time.
  for (const measure of [measureClaims, measureImports, measureAccepting]) {
    const figure = await measure(lists, account, say);
    say(formatFigure(figure));
    figures.push(figure);
  }
  sayLoad();
  return figures;
}

async function openLists(stage: Stage, { accountId }: BenchAccount, say: (text: string) => void): Promise<Lists> {
  const none = await copyStores(stage, 'bench_suppressions_none', 1);
  const many = await copyStores(stage, 'bench_suppressions_many', 2);
  say(`adding ${ENTRIES} suppressions`);
  await addEntries(many.databaseUrl, { accountId, count: ENTRIES });
  return { entries: ENTRIES, none, many };
}
