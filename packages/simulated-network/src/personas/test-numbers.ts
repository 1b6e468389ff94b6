import { SIMULATED_NUMBERS, type SimulatedPersona } from '@outdial/contracts';
import { menu, screening, voicemail } from './machines.ts';
import {
  forbidsTransfer,
  friendly,
  holds,
  ignoresTransfer,
  impatient,
  objects,
  optsOut,
  refusesTransfer,
  silent,
  slow,
  talksOver,
} from './people.ts';
import type { Persona } from './persona.ts';
import { busy, congested, declines, neverAnswers, notInService, unassigned, unreachable } from './refusals.ts';

/** The persona behind each E.164 number. */
export type NumberTable = ReadonlyMap<string, Persona>;

const PERSONAS: Readonly<Record<SimulatedPersona, Persona>> = {
  friendly,
  busy,
  never_answers: neverAnswers,
  declines,
  not_in_service: notInService,
  impatient,
  voicemail,
  screening,
  silent,
  congested,
  slow,
  menu,
  unreachable,
  talks_over: talksOver,
  holds,
  opts_out: optsOut,
  objects,
  refuses_transfer: refusesTransfer,
  forbids_transfer: forbidsTransfer,
  ignores_transfer: ignoresTransfer,
};

/** The documented test numbers. */
export const TEST_NUMBERS: NumberTable = new Map(
  SIMULATED_NUMBERS.map(({ number, persona }) => [number, PERSONAS[persona]]),
);

/** The North American plan keeps 555-0100 to 555-0199 free in every area code. */
const FICTIONAL = /^\+1[2-9]\d{2}(55501\d{2})$/;

/**
 * A fictional number of another area code is answered like the one of +1 202 with the same last digits, so that there are as many
 * callees of each kind as a campaign needs. Every other number that the table does not have is unassigned.
 */
export function personaAt(table: NumberTable, number: string): Persona {
  const lastDigits = FICTIONAL.exec(number)?.[1];
  return table.get(number) ?? table.get(`+1202${lastDigits}`) ?? unassigned;
}
