import {
  createCallSchema,
  type AgentSummaryBody,
  type CallBody,
  type CreateCallBody,
  type PhoneNumberBody,
} from '@outdial/contracts';
import { z } from 'zod';
import { wordsOf, type FieldErrors } from '../../../shared/forms/field-errors.ts';
import { normaliseNumber } from './call-filters.ts';

const seconds = z.union([z.number(), z.string()]);

/** The form's fields, named as the API names them: what it refuses is shown where it belongs. */
export const placementValuesSchema = z.object({
  agent_id: z.string(),
  to_number: z.string(),
  /** Empty: the account's default. */
  from_number: z.string(),
  variables: z.record(z.string(), z.string()).readonly(),
  /** Empty: the service's default. */
  max_duration_seconds: seconds,
  ring_timeout_seconds: seconds,
  metadata: z.record(z.string(), z.unknown()).readonly(),
});
export type PlacementValues = Readonly<z.output<typeof placementValuesSchema>>;

interface Start {
  readonly agents: readonly AgentSummaryBody[];
  readonly numbers: readonly PhoneNumberBody[];
  readonly agentId?: string | undefined;
  readonly toNumber?: string | undefined;
  /** The call that is placed again. */
  readonly again?: CallBody | undefined;
}

/** What the form begins with: another call's, what the URL asks for, or the one agent there is. */
export function startValues({ agents, numbers, agentId, toNumber, again }: Start): PlacementValues {
  const wanted = again?.agent_id ?? agentId;
  const chosen = agents.length === 1 ? agents[0] : agents.find(({ id }) => id === wanted);
  return {
    agent_id: chosen?.id ?? '',
    to_number: again?.callee_number ?? toNumber ?? '',
    // A number that was taken away since must not be asked for again.
    from_number: numbers.some(({ number }) => number === again?.caller_number) ? (again?.caller_number ?? '') : '',
    variables: again?.variables ?? {},
    max_duration_seconds: again?.limits.max_duration_seconds ?? '',
    ring_timeout_seconds: again?.limits.ring_timeout_seconds ?? '',
    metadata: again?.metadata ?? {},
  };
}

/** The variables to ask for: those that the agent's script needs, and those that a call before was given besides. */
export function variableNames(agent: AgentSummaryBody | undefined, values: PlacementValues): readonly string[] {
  return [...new Set([...(agent?.required_variables ?? []), ...Object.keys(values.variables)])];
}

/** Empty for what nobody wrote. A script may name its variables as every object names its own members: `constructor`. */
export function variableText({ variables }: Pick<PlacementValues, 'variables'>, name: string): string {
  return Object.hasOwn(variables, name) ? (variables[name] ?? '') : '';
}

/** The request that the form stands for, or what is wrong with it by field. */
export function readPlacement(
  values: PlacementValues,
  agent: AgentSummaryBody | undefined,
): { readonly body: CreateCallBody; readonly errors: null } | { readonly body: null; readonly errors: FieldErrors } {
  const names = variableNames(agent, values);
  const variables = Object.fromEntries(names.map((name) => [name, variableText(values, name)]));
  const parsed = createCallSchema.safeParse({
    to_number: normaliseNumber(values.to_number),
    agent_id: values.agent_id,
    ...(values.from_number === '' ? {} : { from_number: values.from_number }),
    ...(names.length === 0 ? {} : { variables }),
    ...(Object.keys(values.metadata).length === 0 ? {} : { metadata: values.metadata }),
    ...(values.max_duration_seconds === '' ? {} : { max_duration_seconds: values.max_duration_seconds }),
    ...(values.ring_timeout_seconds === '' ? {} : { ring_timeout_seconds: values.ring_timeout_seconds }),
  });
  const errors: FieldErrors = {};
  for (const issue of parsed.error?.issues ?? []) errors[issue.path.join('.')] ??= wordsOf(issue);
  if (values.agent_id === '') errors['agent_id'] = 'Choose who is to call';
  if (errors['to_number'] !== undefined)
    errors['to_number'] = 'A number with its country code, such as +1 202 555 0143';
  // The API would take an empty text, and the agent would say a sentence with a hole in it.
  for (const name of agent?.required_variables ?? []) {
    if (variableText(values, name).trim() === '') errors[`variables.${name}`] = 'The agent says this: fill it in';
  }
  return parsed.success && Object.keys(errors).length === 0
    ? { body: parsed.data, errors: null }
    : { body: null, errors };
}
