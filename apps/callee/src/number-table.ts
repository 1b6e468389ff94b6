import { e164Schema } from '@outdial/contracts';
import { echo, interjects, TEST_NUMBERS, type NumberTable } from '@outdial/simulated-network';
import { z } from 'zod';

/** All personas by name. */
const PERSONAS = new Map([...TEST_NUMBERS.values(), echo, interjects].map((persona) => [persona.name, persona]));

/**
 * A JSON object from E.164 numbers to personas' names, such as `{"+12025550100":"busy"}`. It replaces the whole table:
 * a number that is not in it is unassigned.
 */
export const numberTableSchema = z.string().transform((text, context): NumberTable => {
  const reject = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const entries = entriesOf(text);
  if (entries === undefined) return reject('must be a JSON object from numbers to names of personas');
  const table = new Map<string, NonNullable<ReturnType<typeof PERSONAS.get>>>();
  for (const [number, name] of entries) {
    if (!e164Schema.safeParse(number).success) return reject(`"${number}" is not an E.164 number such as +12025550100`);
    const persona = typeof name === 'string' ? PERSONAS.get(name) : undefined;
    if (!persona) {
      return reject(`${number} names ${JSON.stringify(name)}: use one of ${[...PERSONAS.keys()].join(', ')}`);
    }
    table.set(number, persona);
  }
  return table;
});

function entriesOf(text: string): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The number in a Request-URI's user part, with a plus sign and without separators. Other text stays unchanged: it is
 * unassigned.
 */
export function dialledNumber(user: string | null): string {
  const bare = (user ?? '').replaceAll(/[-.() ]/g, '');
  return /^\+?\d+$/.test(bare) ? `+${bare.replace('+', '')}` : (user ?? '');
}
