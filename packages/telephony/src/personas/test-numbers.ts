import { menu, screening, voicemail } from './machines.ts';
import { friendly, holds, impatient, silent, slow, talksOver } from './people.ts';
import type { Persona } from './persona.ts';
import { busy, congested, declines, neverAnswers, notInService, unassigned, unreachable } from './refusals.ts';

/** Who answers under which E.164 number. What is not in it is unassigned. */
export type NumberTable = ReadonlyMap<string, Persona>;

/** The test numbers: fictional ones (the 555-01xx block that the North American plan keeps free). */
export const TEST_NUMBERS: NumberTable = new Map([
  ['+12025550100', friendly],
  ['+12025550101', busy],
  ['+12025550102', neverAnswers],
  ['+12025550103', declines],
  ['+12025550104', notInService],
  ['+12025550105', impatient],
  ['+12025550106', voicemail],
  ['+12025550107', screening],
  ['+12025550108', silent],
  ['+12025550109', congested],
  ['+12025550110', slow],
  ['+12025550111', menu],
  ['+12025550112', unreachable],
  ['+12025550113', talksOver],
  ['+12025550114', holds],
]);

export function personaAt(table: NumberTable, number: string): Persona {
  return table.get(number) ?? unassigned;
}
