import type { CallingPolicyCheckBody } from '@outdial/contracts';
import { cityOf } from '../format/zone-city.ts';

interface VerdictWords {
  readonly title: string;
  /** Why, and until when. */
  readonly sentences: readonly string[];
}

/** What the policy says of a call to a number. `time` formats a time for the user. */
export function verdictWords(check: CallingPolicyCheckBody, time: (iso: string) => string): VerdictWords {
  const { verdict, capped_until: cappedUntil, closes_at: closesAt } = check;
  if (verdict === 'allowed') {
    return {
      title: 'Within calling hours',
      sentences: [closesAt === null ? 'The hours are open.' : `The hours are open until ${time(closesAt)}, your time.`],
    };
  }
  const isClosed = verdict === 'outside_calling_window' || check.zones.some(({ open }) => !open);
  return {
    title: verdict === 'frequency_capped' ? 'Called too often' : 'Outside calling hours',
    sentences: [
      ...(isClosed ? closedSentences(check, time) : []),
      ...(cappedUntil === null
        ? []
        : [
            `The number was called as often as the calling policy allows. It may be called again after ${time(cappedUntil)}, your time.`,
          ]),
    ],
  };
}

function closedSentences({ zones, opens_at: opensAt }: CallingPolicyCheckBody, time: (iso: string) => string) {
  if (zones.length === 0) {
    return ['The number does not say where the callee is, and the calling policy has hours. Give their time zone.'];
  }
  return [
    closedWhere(zones),
    opensAt === null ? 'The hours do not open within 90 days.' : `The hours open at ${time(opensAt)}, your time.`,
  ];
}

const MOST_CITIES = 2;
const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function closedWhere(zones: CallingPolicyCheckBody['zones']): string {
  const closed = zones.filter(({ open }) => !open);
  if (closed.length === 0) return 'The hours are closed.';
  const named = closed.slice(0, MOST_CITIES).map(({ zone, local_time: at }) => `${cityOf(zone)} (${at.slice(11, 16)})`);
  const rest = closed.length - named.length;
  const more = rest === 0 ? [] : [`${rest} more time ${rest === 1 ? 'zone' : 'zones'}`];
  return `The hours are closed in ${list.format([...named, ...more])}.`;
}
