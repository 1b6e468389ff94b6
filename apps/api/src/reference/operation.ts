import { errorBodySchema, ERROR_MEANINGS, type ErrorCode } from '@outdial/contracts';
import type { z } from 'zod';
import type { RouteContract } from '../http/define-route.ts';
import { statusOf } from '../http/error-response.ts';
import type { AnswerDocs } from '../http/route-docs.ts';
import { EXAMPLES, exampleOfError } from './examples.ts';
import { describeFields, describeValue, refOf, type Described, type JsonSchema } from './schemas.ts';

/** The errors that every route may return. */
const ERRORS_OF_ALL = [
  'invalid_request',
  'missing_api_key',
  'invalid_api_key',
  'scope_missing',
  'request_timeout',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

/** Response headers of each error status, with their descriptions. */
const HEADERS_OF_STATUS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'A scheme that the server accepts.' },
  409: { 'Retry-After': 'Seconds to wait before retrying.' },
  416: { 'Content-Range': 'The total number of bytes.' },
  429: { 'Retry-After': 'Seconds to wait before retrying.' },
  503: { 'Retry-After': 'Seconds to wait before retrying.' },
};

/** One route as an Operation Object of OpenAPI 3.1. */
export function operationOf(contract: RouteContract): JsonSchema {
  const { docs } = contract;
  return {
    operationId: docs.operationId,
    tags: [docs.tag],
    summary: docs.summary,
    description: `${docs.description}\n\nScope: \`${contract.scope}\`.`,
    // OpenAPI 3.1 section 4.8.30: for these schemes, the roles that are required.
    security: [{ apiKey: [contract.scope] }, { bearer: [contract.scope] }],
    parameters: [
      ...describeFields(contract.params).map(([name, field]) => parameter('path', name, field)),
      ...describeFields(contract.query).map(([name, field]) => parameter('query', name, field)),
      ...Object.entries(docs.headers ?? {}).map(([name, schema]) => parameter('header', name, describeValue(schema))),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...requestBodyOf(contract),
    responses: { ...answersOf(contract), ...errorsOf(contract) },
  };
}

function requestBodyOf({ docs, body }: RouteContract): JsonSchema {
  const json = docs.requestJson ?? body;
  const example = EXAMPLES.get(json);
  const content = {
    ...(example !== undefined && { 'application/json': { schema: refOf(json), example } }),
    ...docs.requestMedia,
  };
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } };
}

function parameter(where: 'path' | 'query' | 'header', name: string, { description, schema, isRequired }: Described) {
  return { name, in: where, required: isRequired, description, schema };
}

function answersOf({ docs, responses }: RouteContract): Readonly<Record<string, JsonSchema>> {
  const schemas = new Map<string, z.ZodType>(Object.entries(responses));
  return Object.fromEntries(
    Object.entries(docs.answers).map(([status, answer]) => [status, answerOf(answer, schemas.get(status))]),
  );
}

function answerOf({ description, headers = {}, media = {} }: AnswerDocs, schema: z.ZodType | undefined): JsonSchema {
  const json = schema && { 'application/json': { schema: refOf(schema), example: EXAMPLES.get(schema) } };
  const content = { ...json, ...media };
  return {
    description,
    headers: headersOf(headers),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

function errorsOf({ errors }: RouteContract): Readonly<Record<string, JsonSchema>> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...ERRORS_OF_ALL, ...errors]) {
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), errorOf(status, codes)]));
}

function errorOf(status: number, codes: readonly ErrorCode[]): JsonSchema {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join('\n\n'),
    headers: headersOf(HEADERS_OF_STATUS[status] ?? {}),
    content: {
      'application/json': {
        schema: {
          allOf: [refOf(errorBodySchema), { properties: { error: { properties: { code: { enum: codes } } } } }],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOfError(code) }])),
      },
    },
  };
}

function headersOf(own: Readonly<Record<string, string>>): JsonSchema {
  const described = Object.entries(own).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' }, ...Object.fromEntries(described) };
}
