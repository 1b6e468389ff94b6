import { OPEN_POLICY, type CampaignBody } from '@outdial/contracts';
import { windowAt } from '@outdial/policies';
import { formatCount } from '../../../../shared/format/numbers.ts';
import { hoursWords, zoneWord } from './hours-words.ts';

/** What a campaign will do, whether it exists or is still a form. */
export interface CampaignPlan {
  /** Null: not known before the file has come. */
  readonly contacts: number | null;
  readonly agent: { readonly name: string; readonly version: number };
  readonly callsPerSecond: number | null;
  readonly maxConcurrent: number | null;
  readonly window: CampaignBody['window'];
  /** Of a contact, the first call included. */
  readonly attempts: number;
  readonly budget: number | null;
  /** RFC 3339. Null: at once. */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  /** The account has a calling policy with hours, or its operator has. */
  readonly hasCallingHours: boolean;
}

export interface PlanFormats {
  readonly money: (amount: number) => string;
  /** A moment in the user's time zone, with the zone. */
  readonly time: (iso: string) => string;
}

/** What will happen once the campaign is started at `nowMs`. */
export function campaignSentences(plan: CampaignPlan, nowMs: number, formats: PlanFormats): readonly string[] {
  return [
    callsSentence(plan, formats),
    firstCallSentence(plan, nowMs, formats),
    ...(plan.endsAt === null ? [] : [`No call begins after ${formats.time(plan.endsAt)}.`]),
    ...(plan.hasCallingHours ? ['Your calling hours hold besides, by each callee’s clock.'] : []),
  ];
}

function callsSentence(plan: CampaignPlan, { money }: PlanFormats): string {
  const { contacts, agent, window, attempts, budget } = plan;
  const parts = [
    `Calls ${peopleWords(contacts)} with agent “${agent.name}” (version ${formatCount(agent.version)})`,
    paceWords(plan),
    window === null ? 'at any hour' : hoursWords(window.days, window.time_zone),
    attempts === 1 ? 'each once' : `each up to ${formatCount(attempts)} times`,
  ].join(', ');
  return budget === null ? `${parts}.` : `${parts}, and stops at ${money(budget)}.`;
}

function peopleWords(contacts: number | null): string {
  if (contacts === null) return 'everyone in the file';
  return contacts === 1 ? '1 person' : `${formatCount(contacts)} people`;
}

function paceWords({ callsPerSecond, maxConcurrent }: CampaignPlan): string {
  const bounds = [
    ...(callsPerSecond === null ? [] : [`${formatCount(callsPerSecond)} a second`]),
    ...(maxConcurrent === null ? [] : [`${formatCount(maxConcurrent)} at once`]),
  ];
  return bounds.length === 0 ? 'as many at once as your account has slots for' : `at most ${bounds.join(' and ')}`;
}

function firstCallSentence({ window, startsAt, endsAt }: CampaignPlan, nowMs: number, { time }: PlanFormats): string {
  const isLater = startsAt !== null && Date.parse(startsAt) > nowMs;
  const startMs = isLater ? Date.parse(startsAt) : nowMs;
  const opensAtMs = window === null ? startMs : openingAfter(window, startMs);
  if (opensAtMs === null || window === null) {
    if (window !== null) return 'No call begins: these hours do not open within 90 days.';
    return isLater ? `The first call begins on ${time(startsAt)}.` : 'The first call begins now.';
  }
  if (endsAt !== null && opensAtMs >= Date.parse(endsAt)) {
    return 'No call begins: these hours open only after the end.';
  }
  if (opensAtMs > startMs) {
    return `The first call begins when these hours open: ${zoneTime(opensAtMs, window.time_zone)}.`;
  }
  return isLater ? `The first call begins on ${time(startsAt)}.` : 'The first call begins now.';
}

/** From when on its hours are open. Null: not within 90 days. */
function openingAfter({ time_zone: zone, days }: NonNullable<CampaignPlan['window']>, atMs: number): number | null {
  const policy = { ...OPEN_POLICY, windows: { default: days } };
  const place = { zones: [zone], regions: [], givenZone: null, certain: true };
  const hours = windowAt({ policy, floor: null }, place, atMs);
  return hours.kind === 'open' ? atMs : hours.opensAtMs;
}

/** `Monday, November 30, 9:00 New York time`. */
function zoneTime(ms: number, zone: string): string {
  const date = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long', timeZone: zone });
  const clock = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', minute: '2-digit', timeZone: zone });
  return `${date.format(ms)}, ${clock.format(ms).replace(/^0/, '')} ${zoneWord(zone)}`;
}
