import { createCampaignSchema, type CampaignBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { ApiError } from '../../../../shared/api/api-error.ts';
import { campaignErrors, refusedFields } from './campaign-errors.ts';
import { draftOf, newDraft, settingsOf, type CampaignDraft } from './campaign-draft.ts';
import { columnsOf, NO_CONTACTS, withMetadata } from './contacts-draft.ts';
import { mappedTo, mappingErrors } from './mapping.ts';

const AGENT = '0b6f6b0e-5d51-4c6c-8a53-6b1a8a2d5b11';
const NOW = Date.parse('2026-11-27T16:00:00Z');
const DRAFT: CampaignDraft = { ...newDraft([], 'America/New_York'), name: 'Autumn', agent_id: AGENT };
const errors = (changes: Partial<CampaignDraft>) => campaignErrors({ ...DRAFT, ...changes }, NOW);

const PROGRESS = {
  contacts: 0,
  remaining: 0,
  waiting: 0,
  open: 0,
  done: 0,
  not_dialled: 0,
  by_reason: {},
  answered: 0,
  answer_rate: null,
  cost: 0,
  spent_percent: null,
  calls_last_minute: 0,
  held_by: null,
  estimated_finish_at: null,
};

/** As the API would answer the settings. */
function campaignOf(settings: object): CampaignBody {
  return {
    ...createCampaignSchema.parse(settings),
    id: AGENT,
    state: 'draft',
    agent_version: null,
    created_by: 'Ada',
    created_at: '2026-11-27T16:00:00.000Z',
    started_at: null,
    ended_at: null,
    progress: PROGRESS,
  };
}

type Times = Pick<CampaignBody, 'starts_at' | 'ends_at'>;
const instants = ({ starts_at: start, ends_at: end }: Times) => [start, end].map((time) => time && Date.parse(time));

test('a campaign is the same after a way through the form', () => {
  const plain = { name: 'Autumn', agent_id: AGENT, columns: {} };
  const full = {
    ...plain,
    from_number: '+12025550100',
    columns: { to_number: 'Phone', time_zone: 'TZ', variables: { name: 'First' }, metadata: { crm_id: 'ID' } },
    default_country: 'US',
    starts_at: '2026-12-01T14:00:00Z',
    ends_at: '2026-12-24T14:00:00Z',
    window: { time_zone: 'America/Denver', days: { mon: ['09:00-12:00', '13:00-17:00'] } },
    calls_per_second: 2.5,
    max_concurrent: 20,
    weight: 30,
    retry: { max_attempts: 2, on: ['busy'], after_seconds: [600, 1_200] },
    budget: 12.5,
  };
  for (const settings of [plain, full]) {
    const campaign = campaignOf(settings);
    const sent = createCampaignSchema.parse(settingsOf(draftOf(campaign, 'Europe/Berlin')));
    expect(instants(sent)).toEqual(instants(campaign));
    const { starts_at: _start, ends_at: _end, ...rest } = sent;
    expect(campaign).toMatchObject(rest);
  }
});

test.each<[string, Partial<CampaignDraft>, object]>([
  ['nothing is chosen', { name: '', agent_id: '' }, { agent_id: 'Choose an agent' }],
  ['no time is chosen', { when: 'later' }, { starts_at: 'Choose a date and time' }],
  ['the end is past', { ends_at: '2026-11-20T09:00' }, { ends_at: 'Must be in the future' }],
  [
    'the end is before the start',
    { when: 'later', starts_at: '2026-12-02T09:00', ends_at: '2026-12-01T09:00' },
    { ends_at: 'Must be after the start' },
  ],
  ['the pace is 0', { calls_per_second: 0 }, { calls_per_second: 'Must be at least 0.001' }],
  ['the weight is empty', { weight: '' }, {}],
  [
    'the hours are none',
    { window: { ...DRAFT.window, is_on: true, time_zone: 'Mars', week: { ...DRAFT.window.week, mon: ['9 to five'] } } },
    {
      'window.time_zone': 'Must be a time zone of the IANA database, like America/Denver',
      'window.week.mon.0': 'Must be like 08:00-21:00, with 24:00 for the end of the day',
    },
  ],
  [
    'no reason is left',
    { retry: { ...DRAFT.retry, is_on: true, on: [] } },
    { 'retry.on': 'Must name at least one reason' },
  ],
])('if %s, the field says so', (_, changes, expected) => {
  expect(errors(changes)).toMatchObject(expected);
});

test('hidden fields are neither sent nor judged', () => {
  const week = { ...DRAFT.window.week, mon: ['9 to five'] };
  const hidden = {
    starts_at: '2020-01-01T09:00',
    window: { is_on: false, time_zone: '', week },
    retry: { ...DRAFT.retry, on: [] },
  };
  expect(errors(hidden)).toEqual({});
  expect(settingsOf({ ...DRAFT, ...hidden })).toMatchObject({ starts_at: null, window: null, retry: null });
});

const refused = (code: ApiError['code'], more: object) =>
  refusedFields(new ApiError({ code, message: 'No', status: 400, ...more }));

test('what the service refuses is shown at its field', () => {
  const details = [
    { param: 'columns.variables.name', message: 'must not be empty' },
    { param: 'window.days.mon.0', message: 'is wrong' },
    { param: 'default_country', message: 'is no country' },
  ];
  expect(refused('invalid_request', { details })).toEqual({
    'contacts.variables.name': 'Must not be empty',
    'window.week.mon.0': 'Is wrong',
    'contacts.default_country': 'Is no country',
  });
  expect(refused('model_not_priced', {})).toEqual({ agent_id: 'No' });
  expect(refused('from_number_not_allowed', { param: 'from_number' })).toEqual({ from_number: 'No' });
});

test('the columns are guessed as the service would, and a choice that the next file has stays', () => {
  const guessed = mappedTo(NO_CONTACTS, ['ID', 'Phone', 'Name'], ['name', 'day']);
  expect(columnsOf(guessed)).toEqual({ to_number: 'Phone', variables: { name: 'Name' } });
  expect(mappingErrors(guessed, ['name', 'day'])).toEqual({ 'variables.day': 'The agent needs it: choose a column' });
  const chosen = withMetadata({ ...guessed, variables: { name: 'ID', day: 'Phone' }, time_zone: 'Name' }, ['ID']);
  expect(mappedTo(chosen, ['number', 'id', 'name'], ['name'])).toMatchObject({
    to_number: 'number',
    time_zone: 'Name',
    variables: { name: 'ID' },
    metadata: { ID: 'ID' },
  });
  expect(mappingErrors(mappedTo(chosen, ['x'], ['name']), ['name'])).toEqual({
    to_number: 'Choose the column of the numbers',
    'variables.name': 'The agent needs it: choose a column',
  });
});

test('a metadata field keeps the name that it has', () => {
  const draft = { ...NO_CONTACTS, metadata: { crm_id: 'ID' } };
  expect(withMetadata(draft, ['ID', 'City']).metadata).toEqual({ crm_id: 'ID', City: 'City' });
});
