import { loadavg } from 'node:os';
import type { Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import { query, type Stage } from '../stage.ts';
import { measureContactFiles } from './campaigns/contact-files.ts';

/** Campaigns: files of contacts. */
export async function measureCampaigns(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  // The databases of the parts are copies: without what an earlier scenario left.
  await query(stage.subject.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const sayLoad = () => say(`load of the machine: ${loadavg()[0]?.toFixed(1)} in the last minute`);
  sayLoad();
  const figures = await measureContactFiles(stage.subject, account, say);
  sayLoad();
  return figures;
}
