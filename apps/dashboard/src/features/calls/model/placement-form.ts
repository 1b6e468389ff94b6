import {
  createCallSchema,
  type AgentSummaryBody,
  type CallBody,
  type CreateCallBody,
  type PhoneNumberBody,
} from '@outdial/contracts';
import { z } from 'zod';
import { wordsOf, type FieldErrors } from '../../../shared/forms/field-errors.ts';
import { normalizeNumber, NUMBER_ERROR } from '../../../shared/forms/read-number.ts';
import { NO_SCHEDULE, readSchedule, scheduleValuesSchema } from './placement-schedule.ts';

const seconds = z.union([z.number(), z.string()]);

/** The form's fields, with the API's names, so that its errors appear at their fields. */
export const placementValuesSchema = scheduleValuesSchema.extend({
  agent_id: z.string(),
  to_number: z.string(),
  /** Empty: the account's default number. */
  from_number: z.string(),
  variables: z.record(z.string(), z.string()).readonly(),
  /** Empty: the service's default. */
  max_duration_seconds: seconds,
  ring_timeout_seconds: seconds,
  /** Empty: only the number says where the callee is. */
  callee_time_zone: z.string(),
  metadata: z.record(z.string(), z.unknown()).readonly(),
});
export type PlacementValues = Readonly<z.output<typeof placementValuesSchema>>;

interface Start {
  readonly agents: readonly AgentSummaryBody[];
  readonly numbers: readonly PhoneNumberBody[];
  readonly agentId?: string | undefined;
  readonly toNumber?: string | undefined;
  /** The call to repeat. */
  readonly again?: CallBody | undefined;
}

/** Initial values: those of the call to repeat, those in the URL, or the only agent. */
export function startValues({ agents, numbers, agentId, toNumber, again }: Start): PlacementValues {
  const wanted = again?.agent_id ?? agentId;
  const chosen = agents.length === 1 ? agents[0] : agents.find(({ id }) => id === wanted);
  return {
    ...NO_SCHEDULE,
    agent_id: chosen?.id ?? '',
    to_number: again?.callee_number ?? toNumber ?? '',
    // The account may have lost the number since.
    from_number: numbers.some(({ number }) => number === again?.caller_number) ? (again?.caller_number ?? '') : '',
    variables: again?.variables ?? {},
    max_duration_seconds: again?.limits.max_duration_seconds ?? '',
    ring_timeout_seconds: again?.limits.ring_timeout_seconds ?? '',
    callee_time_zone: '',
    metadata: again?.metadata ?? {},
  };
}

/** The variables to show: those that the script needs, and those of the repeated call. */
export function variableNames(agent: AgentSummaryBody | undefined, values: PlacementValues): readonly string[] {
  return [...new Set([...(agent?.required_variables ?? []), ...Object.keys(values.variables)])];
}

/** The variable's text, or empty. A script may use names that every object has, such as `constructor`. */
export function variableText({ variables }: Pick<PlacementValues, 'variables'>, name: string): string {
  return Object.hasOwn(variables, name) ? (variables[name] ?? '') : '';
}

/** The form's request, or its errors by field. */
export function readPlacement(
  values: PlacementValues,
  agent: AgentSummaryBody | undefined,
  nowMs: number,
): { readonly body: CreateCallBody; readonly errors: null } | { readonly body: null; readonly errors: FieldErrors } {
  const names = variableNames(agent, values);
  const variables = Object.fromEntries(names.map((name) => [name, variableText(values, name)]));
  const { schedule, errors: scheduleErrors } = readSchedule(values, nowMs);
  const parsed = createCallSchema.safeParse({
    to_number: normalizeNumber(values.to_number),
    agent_id: values.agent_id,
    ...(values.from_number === '' ? {} : { from_number: values.from_number }),
    ...(names.length === 0 ? {} : { variables }),
    ...(Object.keys(values.metadata).length === 0 ? {} : { metadata: values.metadata }),
    ...(values.max_duration_seconds === '' ? {} : { max_duration_seconds: values.max_duration_seconds }),
    ...(values.ring_timeout_seconds === '' ? {} : { ring_timeout_seconds: values.ring_timeout_seconds }),
    ...(values.callee_time_zone.trim() === '' ? {} : { callee_time_zone: values.callee_time_zone.trim() }),
    ...schedule,
  });
  const errors: FieldErrors = { ...scheduleErrors };
  for (const issue of parsed.error?.issues ?? []) errors[issue.path.join('.')] ??= wordsOf(issue);
  if (values.agent_id === '') errors['agent_id'] = 'Choose an agent';
  if (errors['to_number'] !== undefined) errors['to_number'] = NUMBER_ERROR;
  // The API accepts an empty text, but the agent would say a sentence with a gap.
  for (const name of agent?.required_variables ?? []) {
    if (variableText(values, name).trim() === '') errors[`variables.${name}`] = 'Required by the agent’s script';
  }
  return parsed.success && Object.keys(errors).length === 0
    ? { body: parsed.data, errors: null }
    : { body: null, errors };
}
