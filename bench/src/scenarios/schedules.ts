import { loadavg } from 'node:os';
import type { Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import { query, type Stage } from '../stage.ts';
import { measureAccepting } from './schedules/accepting.ts';
import { measureAdmissions } from './schedules/admissions.ts';
import { measureLateness } from './schedules/lateness.ts';
import { measureTurn } from './schedules/turn.ts';

/** Scheduled calls: how many are admitted, how late, what a turn costs with many of them, and what accepting one costs. */
export async function measureSchedules(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  // The databases of some parts are copies: without what an earlier scenario left.
  await query(stage.subject.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const sayLoad = () => say(`load of the machine: ${loadavg()[0]?.toFixed(1)} in the last minute`);
  sayLoad();
  const figures = [
    ...(await measureTurn(stage, say)),
    ...(await measureLateness(stage, say)),
    ...(await measureAdmissions(stage, account, say)),
  ];
  // The last one: it leaves queued calls behind.
  await measureAccepting(stage, account, say);
  sayLoad();
  return figures;
}
