import { createLogger } from '@outdial/kernel';
import { TEST_NUMBERS } from '@outdial/simulated-network';
import { compose, type CalleeNetwork } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';

/** The network in this process, on a free SIP port. */
export function startCallee(environment: Readonly<Record<string, string>> = {}): Promise<CalleeNetwork> {
  const config = readConfig({ OUTDIAL_CALLEE_SIP_PORT: '0', ...environment });
  return compose({ config, logger: createLogger({ name: 'callee', level: 'silent' }) });
}

/** Every test number with another persona behind it. */
export function shuffledTable(): ReadonlyMap<string, string> {
  const numbers = [...TEST_NUMBERS.keys()];
  const names = [...TEST_NUMBERS.values()].map(({ name }) => name);
  const step = 7;
  return new Map(numbers.map((number, index) => [number, names[(index + step) % names.length] ?? '']));
}

export const asJson = (table: ReadonlyMap<string, string>): string => JSON.stringify(Object.fromEntries(table));

export function numberOf(table: ReadonlyMap<string, string>, persona: string): string {
  const number = [...table].find(([, name]) => name === persona)?.[0];
  if (number === undefined) throw new Error(`no persona in the table is ${persona}`);
  return number;
}
