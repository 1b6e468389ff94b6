import type { AnalysisDataSchema, AnalysisSettings } from '@outdial/contracts';
import { z } from 'zod';
import type { CallAnalysis } from '@outdial/calls';
import type { JsonSchema } from './text-model.ts';

export type AnalysisResult = Pick<CallAnalysis, 'summary' | 'data' | 'success'>;

export type ParsedAnswer =
  | { readonly ok: true; readonly result: AnalysisResult }
  /** What the model should correct. */
  | { readonly ok: false; readonly problems: readonly string[] };

export interface ResultSchema {
  /**
   * For providers that hold a model to a schema: every field is required and nothing else is allowed, as OpenAI's strict
   * mode asks. A field that the agent does not require may be null.
   */
  readonly strict: JsonSchema;
  readonly parse: (text: string) => ParsedAnswer;
}

const MAX_PROBLEMS = 10;
const HALF_PAIRS_AND_NULS = /\0|\p{Surrogate}/gu;

/** What the answer of a model must be, from what the agent asks for. */
export function resultSchemaOf({ summary, data, success }: AnalysisSettings): ResultSchema {
  const scale = success?.scale === '1-10' ? { type: 'integer', minimum: 1, maximum: 10 } : { type: 'boolean' };
  // The reason comes first: a model that has to give it first judges better.
  const verdict = closed({ reason: { type: 'string' }, value: scale });
  const partsWith = (fields: JsonSchema | undefined) => ({
    ...(summary ? { summary: { type: 'string' } } : {}),
    ...(fields ? { data: fields } : {}),
    ...(success ? { success: verdict } : {}),
  });
  const checked = z.fromJSONSchema(closed(partsWith(data && { ...data, additionalProperties: false })));
  return {
    strict: closed(partsWith(data && strictFields(data))),
    parse: (text) => parseAnswer(text, data, checked),
  };
}

function closed(properties: JsonSchema): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function strictFields({ properties, required = [], ...rest }: AnalysisDataSchema): JsonSchema {
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, required.includes(name) ? field : { anyOf: [field, { type: 'null' }] }] as const,
  );
  return { ...rest, ...closed(Object.fromEntries(fields)) };
}

const resultShape = z.object({
  summary: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  success: z.object({ reason: z.string(), value: z.union([z.boolean(), z.number()]) }).optional(),
});

function parseAnswer(text: string, data: AnalysisDataSchema | undefined, checked: z.ZodType): ParsedAnswer {
  const json = objectIn(text);
  if (json === undefined) return { ok: false, problems: ['The answer is not one JSON object.'] };
  const answer = withoutEmptyFields(json, data);
  const { error } = checked.safeParse(answer);
  const shaped = resultShape.safeParse(answer);
  if (error !== undefined || !shaped.success) {
    const issues = error?.issues ?? shaped.error?.issues ?? [];
    const problems = issues.map(({ path, message }) => `${path.join('.') || 'the object'}: ${message}`);
    return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
  }
  const { summary = null, data: found = null, success = null } = shaped.data;
  return { ok: true, result: { summary, data: found, success } };
}

/** Models put JSON into fences, or talk around it. */
function objectIn(text: string): Record<string, unknown> | undefined {
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (first < 0 || last < first) return undefined;
  try {
    // Postgres stores neither U+0000 nor half of a surrogate pair; JSON may hold both as escapes.
    const value: unknown = JSON.parse(text.slice(first, last + 1), (_, inner: unknown) =>
      typeof inner === 'string' ? inner.replaceAll(HALF_PAIRS_AND_NULS, '�') : inner,
    );
    return z.record(z.string(), z.unknown()).safeParse(value).data;
  } catch {
    return undefined;
  }
}

/** Null stands for "not said" in the strict form; a field that is not required is then left out. */
function withoutEmptyFields(
  answer: Record<string, unknown>,
  schema: AnalysisDataSchema | undefined,
): Record<string, unknown> {
  const data = z.record(z.string(), z.unknown()).safeParse(answer['data']).data;
  if (schema === undefined || data === undefined) return answer;
  const required = new Set(schema.required);
  const kept = Object.entries(data).filter(([name, value]) => value !== null || required.has(name));
  return { ...answer, data: Object.fromEntries(kept) };
}
