import { CAMPAIGN_STATES } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { campaignOf } from '../campaign-fixture.ts';
import {
  cancelConsequences,
  deleteConsequences,
  pauseConsequences,
  resumeConsequences,
  startConsequences,
  stateSentence,
} from './state-words.ts';

const time = (iso: string) => iso.slice(0, 16);
const known = { agentName: 'Reminder', time };

test('each state has a sentence', () => {
  for (const state of CAMPAIGN_STATES) expect(stateSentence(campaignOf({ state }), time)).toMatch(/\.$/);
  const draft = (contacts: number) => stateSentence(campaignOf({ state: 'draft', progress: { contacts } }), time);
  expect([draft(0), draft(2)]).toEqual(['Add contacts, then start it.', 'Nothing is dialed until you start it.']);
  const starts = campaignOf({ state: 'scheduled', starts_at: '2026-12-01T09:00:00.000Z' });
  expect(stateSentence(starts, time)).toBe('It starts on 2026-12-01T09:00.');
});

test('a start says whom it calls, how often and for how much', () => {
  const retry = { max_attempts: 3, on: ['busy' as const], after_seconds: [900] };
  expect(startConsequences(campaignOf({ retry, budget: null }), known).sentences).toEqual([
    'It begins to call 1,000 contacts with “Reminder”, in the version that the agent has now.',
    'A contact who is not reached is called up to 3 times.',
    'It has no budget: its calls cost what they cost, up to your balance.',
    'You can pause it at any time.',
  ]);
  const later = startConsequences(campaignOf({ starts_at: '2026-12-01T09:00:00.000Z' }), known);
  expect(later.sentences[0]).toContain('It waits, and from 2026-12-01T09:00 calls 1,000 contacts');
});

test('a pause and a resumption say what becomes of calls and contacts', () => {
  expect(pauseConsequences(campaignOf({ progress: { open: 1, waiting: 0 } })).sentences).toEqual([
    'Within a second no more of its calls are dialed.',
    '1 call is open: what rings or talks goes on, and what waits for its dial is called again once you resume it.',
  ]);
  const nowMs = Date.parse('2026-12-02T00:00:00.000Z');
  expect(resumeConsequences(campaignOf(), nowMs).sentences).toEqual([
    'It goes on where it was, with 560 contacts to call.',
  ]);
  const late = campaignOf({ ends_at: '2026-12-01T12:00:00.000Z', progress: { held_by: 'budget' } });
  expect(resumeConsequences(late, nowMs).sentences).toHaveLength(3);
});

test('a cancellation says how many are not called any more', () => {
  expect(cancelConsequences(campaignOf()).sentences[1]).toBe('560 contacts are not called any more.');
  expect(cancelConsequences(campaignOf({ progress: { remaining: 0, waiting: 1 } })).sentences[1]).toBe(
    '1 contact is not called any more.',
  );
});

test('a deletion says what goes and what stays', () => {
  expect(deleteConsequences(campaignOf({ state: 'draft', progress: { contacts: 2 } })).sentences).toEqual([
    'Its settings and 2 contacts are removed. You cannot undo this.',
    'None of its contacts was called.',
  ]);
  const over = deleteConsequences(campaignOf({ state: 'cancelled', progress: { contacts: 0, open: 1 } }));
  expect(over.sentences).toEqual([
    'Its settings are removed. You cannot undo this.',
    'Its calls stay, with their recordings and costs. You can no longer download its results: do so first.',
    '1 call is still open, and goes on.',
  ]);
});
