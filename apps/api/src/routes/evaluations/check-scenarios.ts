import {
  evaluationLlmSchema,
  requiredVariables,
  type ConductedSettings,
  type CreateEvaluationBody,
  type EvaluationLlm,
  type Scenario,
} from '@outdial/contracts';
import { invalidRequest } from '../../http/api-error.ts';

interface Problem {
  readonly param: string;
  readonly message: string;
}

/** Whether the agent can play these scenarios. @throws ApiError that names every field at fault */
export function checkScenarios(settings: ConductedSettings, scenarios: readonly Scenario[]): void {
  if (scenarios.length === 0) {
    throw invalidRequest([
      { param: 'scenarios', message: 'is required, because no scenarios are saved with the agent' },
    ]);
  }
  const problems = scenarios.flatMap((scenario, index) => problemsOf(settings, scenario, `scenarios.${index}`));
  if (problems.length > 0) throw invalidRequest(problems);
}

/** The model that judges. @throws ApiError */
export function judgeOf({ analysis }: ConductedSettings, { llm }: CreateEvaluationBody): EvaluationLlm {
  if (llm !== undefined) return llm;
  const own = evaluationLlmSchema.safeParse(analysis?.llm);
  if (own.success) return own.data;
  const why = analysis === undefined ? 'the agent has no analysis' : 'the model of the agent’s analysis cannot judge';
  throw invalidRequest([{ param: 'llm', message: `is required, because ${why}` }]);
}

function problemsOf(settings: ConductedSettings, scenario: Scenario, path: string): readonly Problem[] {
  const { variables = {}, tool_results: results, criteria } = scenario;
  const tools = toolNames(settings);
  const missing = requiredVariables(settings).filter((name) => !Object.hasOwn(variables, name));
  const unknown = Object.keys(results).filter((name) => !tools.has(name));
  return [
    ...missing.map((name) => ({ param: `${path}.variables.${name}`, message: 'is required by this agent' })),
    ...unknown.map((name) => ({
      param: `${path}.tool_results.${name}`,
      message: 'must be the name of an HTTP or MCP tool of the agent',
    })),
    ...(criteria === undefined && settings.analysis?.success === undefined
      ? [{ param: `${path}.criteria`, message: 'is required, because the agent’s analysis has no success criteria' }]
      : []),
  ];
}

/** Tools that act outside of the conversation. */
function toolNames({ tools }: ConductedSettings): ReadonlySet<string> {
  const names = tools.flatMap((tool): readonly string[] => {
    if (tool.type === 'http') return [tool.name];
    return tool.type === 'mcp' ? (tool.listed?.tools ?? []).map(({ name }) => name) : [];
  });
  return new Set(names);
}
