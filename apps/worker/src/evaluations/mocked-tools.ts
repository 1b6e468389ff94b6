import type { Scenario } from '@outdial/contracts';
import type { ToolRunner } from '@outdial/minds';

const SIMULATED = JSON.stringify({ status: 'ok', note: 'This is a test: the action was simulated.' });

/** Tools that are not called: each answers what the scenario says, or that it was simulated. */
export function mockedTools({ tool_results: results }: Pick<Scenario, 'tool_results'>): ToolRunner {
  return {
    run: async ({ tool: { name } }) => ({
      kind: 'ok',
      output: Object.hasOwn(results, name) ? (results[name] ?? SIMULATED) : SIMULATED,
    }),
  };
}
