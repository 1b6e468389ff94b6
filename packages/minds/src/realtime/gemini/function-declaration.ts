import { z } from 'zod';
import type { Tool } from '../../tool.ts';

type Json = Readonly<Record<string, unknown>>;

/** Keywords whose values are taken as they are. */
const TAKEN = [
  'format',
  'title',
  'description',
  'required',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
] as const;

const object = z.record(z.string(), z.unknown());
const isObject = (value: unknown): value is Json => object.safeParse(value).success;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The API answers while a tool runs, and takes its result whenever it comes. */
export function functionDeclaration({ name, description, parameters }: Tool): Json {
  const schema = openApiSchema(parameters);
  const hasParameters = isObject(schema['properties']) && Object.keys(schema['properties']).length > 0;
  return { name, description, behavior: 'NON_BLOCKING', ...(hasParameters ? { parameters: schema } : {}) };
}

/**
 * A JSON Schema as the API takes it: a part of OpenAPI 3.0, which refuses other keywords. What it has no word for is left
 * out: arguments are checked against the whole schema before the tool runs.
 */
function openApiSchema(schema: Json): Json {
  const types = typeof schema['type'] === 'string' ? [schema['type']] : listOf(schema['type']).map(String);
  const type = types.find((name) => name !== 'null');
  const choices = listOf(schema['anyOf'] ?? schema['oneOf']).filter(isObject);
  const values = 'const' in schema ? [schema['const']] : listOf(schema['enum']);
  return {
    ...Object.fromEntries(TAKEN.flatMap((key) => (key in schema ? [[key, schema[key]]] : []))),
    ...(type === undefined ? {} : { type: type.toUpperCase() }),
    ...(types.includes('null') ? { nullable: true } : {}),
    // It knows enumerations of strings alone.
    ...(values.length > 0 && (type ?? 'string') === 'string' ? { type: 'STRING', enum: values.map(String) } : {}),
    ...(isObject(schema['properties'])
      ? {
          properties: Object.fromEntries(
            Object.entries(schema['properties']).map(([key, value]) => [
              key,
              isObject(value) ? openApiSchema(value) : {},
            ]),
          ),
        }
      : {}),
    ...(isObject(schema['items']) ? { items: openApiSchema(schema['items']) } : {}),
    ...(choices.length === 0 ? {} : { anyOf: choices.map(openApiSchema) }),
  };
}
