import { apiDocument } from '@outdial/api/documentation';
import { z } from 'zod';
import { code, prose, table, yesNo } from './table.ts';

const jsonSchema = z.looseObject({
  type: z.unknown().optional(),
  $ref: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});
type Json = z.output<typeof jsonSchema>;
const contentSchema = z.record(z.string(), z.looseObject({ schema: jsonSchema.optional() }));
const parameterSchema = z.looseObject({
  name: z.string().optional(),
  in: z.string().optional(),
  required: z.boolean().optional(),
  description: z.string().optional(),
});
const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        summary: z.string(),
        description: z.string().optional(),
        parameters: z.array(parameterSchema).optional(),
        requestBody: z.looseObject({ content: contentSchema }).optional(),
        responses: z.record(z.string(), z.looseObject({ description: z.string(), content: contentSchema.optional() })),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), jsonSchema) }),
});

/** Every route with its parameters, bodies and responses. */
export function apiPage(): string {
  const { paths, components } = documentSchema.parse(structuredClone(apiDocument));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const routes = operations.flatMap(({ path, method, operation }) => {
    const named = (operation.parameters ?? []).filter((parameter) => parameter.name !== undefined);
    return [
      `## ${operation.summary}`,
      code(`${method} ${path}`),
      ...(operation.description === undefined ? [] : [prose(operation.description)]),
      ...(named.length === 0
        ? []
        : [
            table(
              ['Parameter', 'In', 'Required', 'Meaning'],
              named.map(({ name = '', in: where = '', required, description }) => [
                code(name),
                where,
                yesNo(required === true),
                prose(description ?? ''),
              ]),
            ),
          ]),
      ...bodyOf(operation.requestBody?.content),
      table(
        ['Status', 'Meaning'],
        Object.entries(operation.responses).map(([status, { description, content }]) => [
          status,
          `${prose(description)}${status < '300' ? bodyLink(content) : ''}`,
        ]),
      ),
    ];
  });
  const schemas = Object.entries(components.schemas).flatMap(([name, schema]) => [
    `### ${name}`,
    ...(schema.description === undefined ? [] : [prose(schema.description)]),
    fieldsOf(schema),
  ]);
  return [
    '# HTTP API',
    'All paths begin with `/api/v1`. A running instance serves the same reference at `/docs/api`, where you can try each route, and the OpenAPI 3.1 document at `/api/v1/openapi.json`. Neither needs a key.',
    'Send your API key as `X-API-Key` or as `Authorization: Bearer`. JSON is snake_case, ids are UUIDs, times are ISO 8601 in UTC with milliseconds, and amounts are decimal numbers of `currency` units. Responses may gain fields. [Errors](errors.md) lists every error code.',
    ...routes,
    '## Bodies',
    ...schemas,
  ].join('\n\n');
}

function bodyOf(content: z.output<typeof contentSchema> | undefined): readonly string[] {
  const link = bodyLink(content);
  return link === '' ? [] : [`The request body is${link.replace('.', '')}.`];
}

function bodyLink(content: z.output<typeof contentSchema> | undefined): string {
  const name = content?.['application/json']?.schema?.$ref?.split('/').at(-1);
  return name === undefined ? '' : ` [${name}](#${name.toLowerCase()}).`;
}

function fieldsOf(schema: Json): string {
  const required = new Set(schema.required);
  const rows = Object.entries(schema.properties ?? {}).map(([name, value]) => {
    const field = jsonSchema.parse(value);
    return [code(name), typeOf(field), yesNo(required.has(name)), prose(field.description ?? '')];
  });
  return rows.length === 0 ? typeOf(schema) : table(['Field', 'Type', 'Required', 'Meaning'], rows);
}

function typeOf(schema: Json): string {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return `[${name}](#${name.toLowerCase()})`;
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ');
  const branches = z.array(jsonSchema).safeParse(schema['anyOf'] ?? schema['oneOf']);
  if (branches.success) return branches.data.map(typeOf).join(' or ');
  const items = jsonSchema.safeParse(schema['items']);
  if (schema.type === 'array' && items.success) return `array of ${typeOf(items.data)}`;
  return Array.isArray(schema.type) ? schema.type.join(' or ') : typeof schema.type === 'string' ? schema.type : 'any';
}
