import { e164Schema } from '@outdial/contracts';
import { placeOf, type Place } from '@outdial/numbering';
import type { Command } from 'commander';
import { z } from 'zod';
import { formatFacts, formatTable } from '../../terminal/table.ts';
import { isoTime, yesOrNo } from '../columns.ts';
import { localIsoTime, shownLocalTime } from '../local-time.ts';
import type { Report } from '../report.ts';
import { addVerb, type RunVerb } from '../verb.ts';

/** Adds the verb to the noun `numbers`. */
export function addPlaceVerb(numbers: Command, runVerb: RunVerb): void {
  addVerb(numbers, runVerb, {
    name: 'place',
    summary: 'Show where the person behind a number is, and the time there.',
    arguments: [['<number>', 'E.164, such as +14235550100']],
    examples: ['numbers place +14235550100', 'numbers place +442079460000 --json'],
    changes: false,
    input: z.strictObject({ number: e164Schema }),
    run: async ({ clock }, { number }) => placeReport(number, placeOf(number), clock.nowMs()),
  });
}

export function placeReport(number: string, place: Place, atMs: number): Report {
  const zones = place.zones.map((zone) => ({ zone, local_time: localIsoTime(zone, atMs) }));
  const { country, regions, certain } = place;
  return {
    json: { place: { number, country, regions, zones, certain, at: isoTime(atMs) } },
    text: [
      ...formatFacts([
        ['Number', number],
        ['Country', country ?? '-'],
        ['Regions', regions.join(', ') || '-'],
        ['Certain', certain || country === null ? yesOrNo(certain) : 'no: it may be anywhere in the country'],
      ]),
      '',
      ...formatTable(
        [
          { title: 'ZONE', value: (zone) => zone },
          { title: 'LOCAL TIME', value: (zone) => shownLocalTime(zone, atMs) },
        ],
        place.zones,
        'The number belongs to no country, so no time zone is known.',
      ),
    ],
  };
}
