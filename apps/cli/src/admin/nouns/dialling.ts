import type { DiallingRecord } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Json, Report } from '../report.ts';
import type { AdminSession } from '../session.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const NO_INPUT = z.strictObject({});

export function addDiallingVerbs(program: Command, runVerb: RunVerb): void {
  const dialling = createNoun(program, 'dialling', 'The switch that pauses new dials on every worker.');
  addVerb(dialling, runVerb, {
    name: 'pause',
    summary: 'Stop new dials within a second. Connected calls continue; accepted calls wait until they expire.',
    examples: ['dialling pause'],
    changes: true,
    input: NO_INPUT,
    run: (session) => set(session, true),
  });
  addVerb(dialling, runVerb, {
    name: 'resume',
    summary: 'Resume dialing, waiting calls first.',
    examples: ['dialling resume'],
    changes: true,
    input: NO_INPUT,
    run: (session) => set(session, false),
  });
  addVerb(dialling, runVerb, {
    name: 'show',
    summary: 'Show whether dialing is paused, since when, and by whom.',
    examples: ['dialling show'],
    changes: false,
    input: NO_INPUT,
    run: async ({ administration }) => reportOf(await administration.dialling.show()),
  });
}

async function set(session: AdminSession, paused: boolean): Promise<Report> {
  const record = await session.administration.dialling.set({ paused });
  await session.hurryWorkers();
  return reportOf(record);
}

function reportOf(record: DiallingRecord): Report {
  const changedAt = record.changedAtMs === null ? null : new Date(record.changedAtMs).toISOString();
  const { paused, changedBy } = record;
  const json: Json = { dialling: { paused, changed_at: changedAt, changed_by: changedBy } };
  const state = paused ? 'Dialing is paused: no new calls are dialed.' : 'Dialing is active.';
  const since = changedAt === null ? [] : [`Since ${changedAt}, by ${changedBy}.`];
  return { json, text: [state, ...since] };
}
