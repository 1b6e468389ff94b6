import { SIMULATED_NUMBERS, type SimulatedPersona } from '@outdial/contracts';
import { menu, screening, voicemail } from './machines.ts';
import { friendly, holds, impatient, objects, optsOut, silent, slow, talksOver } from './people.ts';
import type { Persona } from './persona.ts';
import { busy, congested, declines, neverAnswers, notInService, unassigned, unreachable } from './refusals.ts';

/** The persona behind each E.164 number. Every other number is unassigned. */
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
};

/** The documented test numbers. */
export const TEST_NUMBERS: NumberTable = new Map(
  SIMULATED_NUMBERS.map(({ number, persona }) => [number, PERSONAS[persona]]),
);

export function personaAt(table: NumberTable, number: string): Persona {
  return table.get(number) ?? unassigned;
}
