import { loadavg } from 'node:os';
import { formatFigure, type Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import { query, type Stage } from '../stage.ts';
import { measureCampaignAdmissions } from './campaigns/admissions.ts';
import { measureBeside } from './campaigns/beside.ts';
import { measureWalk } from './campaigns/walk.ts';
import { measureContactFiles } from './campaigns/contact-files.ts';
import { measurePace } from './campaigns/pace.ts';
import { measureShares } from './campaigns/shares.ts';
import { measureCampaignTurn } from './campaigns/turn.ts';

/** Campaigns: files of contacts, what a turn costs, and whether pace, shares, and the end of one are kept. */
export async function measureCampaigns(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  // The databases of most parts are copies: without what an earlier scenario left.
  await query(stage.subject.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const figures: Figure[] = [];
  // The last one: it leaves two million contacts behind.
  for (const measure of [
    measureCampaignTurn,
    measureCampaignAdmissions,
    measurePace,
    measureShares,
    walk,
    beside,
    files,
  ]) {
    say(`load of the machine: ${loadavg()[0]?.toFixed(1)} in the last minute`);
    for (const figure of await measure(stage, say)) {
      // Said at once: a part may fail on a machine that is too busy.
      say(formatFigure(figure));
      figures.push(figure);
    }
  }
  return figures;

  function walk() {
    return measureWalk(stage, account, say);
  }
  function beside() {
    return measureBeside(stage, account, say);
  }
  function files() {
    return measureContactFiles(stage.subject, account, say);
  }
}
