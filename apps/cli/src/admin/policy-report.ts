import { WEEKDAYS, type CallingPolicySettings, type CallingWeek } from '@outdial/contracts';
import type { CallingPolicyRecord, PolicyInForce } from '@outdial/persistence';
import { formatFacts, formatTable } from '../terminal/table.ts';
import { isoTimeOrNull, shownTime, yesOrNo } from './columns.ts';
import type { Json, Report } from './report.ts';

export const NOT_ADVICE = 'A policy helps with the rules of the people you call. It is not legal advice.';

export function settingsJson({ windows, caps, ...settings }: CallingPolicySettings): { readonly [key: string]: Json } {
  const rows = Object.entries(windows).map(([key, week]) => [key, { ...week }] as const);
  return { ...settings, windows: Object.fromEntries(rows), caps: caps.map((cap) => ({ ...cap })) };
}

function policyJson({ version, settings, savedBy, savedAtMs }: CallingPolicyRecord): Json {
  return { ...settingsJson(settings), version, saved_by: savedBy, saved_at: isoTimeOrNull(savedAtMs) };
}

export function policyReport({ policy, floor }: PolicyInForce, before: readonly string[] = []): Report {
  const { version, savedBy, savedAtMs } = policy;
  const saved = savedBy === null ? 'never' : `${shownTime(savedAtMs)} by ${savedBy}`;
  return {
    json: { calling_policy: policyJson(policy), floor: floor === null ? null : settingsJson(floor) },
    text: [
      ...before,
      ...formatFacts([
        ['Version', String(version)],
        ['Saved', saved],
      ]),
      ...settingsText(policy.settings),
      ...(floor === null ? ['Floor: none.'] : ['Floor, which holds besides:', ...settingsText(floor)]),
    ],
    notes: [NOT_ADVICE],
  };
}

interface WindowRow {
  readonly key: string;
  readonly week: CallingWeek;
}

/** For people. */
export function settingsText({ pack, windows, closed_days: days, caps, ...settings }: CallingPolicySettings) {
  const rows = Object.entries(windows)
    .map(([key, week]) => ({ key, week }))
    .toSorted((one, other) => Number(other.key === 'default') - Number(one.key === 'default'));
  const columns = [
    { title: 'HOURS OF', value: ({ key }: WindowRow) => key },
    ...WEEKDAYS.map((day) => ({
      title: day.toUpperCase(),
      value: ({ week }: WindowRow) => week[day].join(' ') || 'closed',
    })),
  ];
  return [
    ...formatFacts([
      ['Pack', pack ?? '-'],
      ['Caps', caps.map(({ hours, max }) => `${max} calls to a number in ${hours} h`).join(', ') || 'none'],
      ['Closed days', days.join(', ') || 'none'],
      ['Trusts given zones', yesOrNo(settings.trust_given_zone)],
    ]),
    ...formatTable(columns, rows, 'Every hour is open.'),
  ];
}
