import { invariant } from '@outdial/kernel';

/** The callees, and how many numbers each has over SIP, where the number alone identifies a call. */
const PERSONAS = {
  /** Answers and stays until we hang up. */
  silent: { testNumber: '+12025550108', block: 6, count: 1_500 },
  /** Answers and hangs up after 3 s. */
  impatient: { testNumber: '+12025550105', block: 7, count: 1_000 },
  busy: { testNumber: '+12025550101', block: 8, count: 600 },
  never_answers: { testNumber: '+12025550102', block: 9, count: 300 },
  /** Rejects with 503 and Retry-After. */
  congested: { testNumber: '+12025550109', block: 5, count: 200 },
  /** Answers, and has a conversation. */
  friendly: { testNumber: '+12025550100', block: 3, count: 400 },
  /** Answers, and presses 9 when the agent has spoken: no more calls. */
  opts_out: { testNumber: '+12025550115', block: 2, count: 200 },
  /** Sends no answer. */
  unreachable: { testNumber: '+12025550112', block: 4, count: 200 },
} as const;

export type Persona = keyof typeof PERSONAS;

export type CarrierName = 'simulated' | 'sip';

function isPersona(name: string): name is Persona {
  return name in PERSONAS;
}

function numberOf(persona: Persona, index: number): string {
  return `+120255${PERSONAS[persona].block}${String(index).padStart(4, '0')}`;
}

/** For the callee: every number and its persona. */
export function numberTable(): Readonly<Record<string, Persona>> {
  const names = Object.keys(PERSONAS).filter(isPersona);
  return Object.fromEntries(
    names.flatMap((name) =>
      Array.from({ length: PERSONAS[name].count }, (_, index) => [numberOf(name, index), name] as const),
    ),
  );
}

/** Allocates numbers to dial: over SIP each once. */
export function createNumbers(carrier: CarrierName): (persona: Persona) => string {
  if (carrier === 'simulated') return (persona) => PERSONAS[persona].testNumber;
  const used = new Map<Persona, number>();
  return (persona) => {
    const index = used.get(persona) ?? 0;
    used.set(persona, index + 1);
    invariant(index < PERSONAS[persona].count, 'there are numbers left');
    return numberOf(persona, index);
  };
}
