import { ERROR_CODES, ERROR_MEANINGS } from '@outdial/contracts';
import type { RouteContract } from '../http/define-route.ts';
import { statusOf } from '../http/error-response.ts';
import { operationOf } from './operation.ts';
import { componentSchemas, type JsonSchema } from './schemas.ts';
import { describeWebhooks } from './webhooks.ts';

export const DOCUMENT_PATH = '/api/v1/openapi.json';

/** The interface as an OpenAPI 3.1 document, generated from its contracts. */
export function describeApi(contracts: readonly RouteContract[]): JsonSchema {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Outdial',
      version: '1',
      summary: 'Outbound telephone calls by AI voice agents.',
      description: description(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that returned this document.' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [
      { name: 'Calls', description: 'Place, follow and end calls.' },
      { name: 'Campaigns', description: 'Calls to many contacts, at a pace and within hours.' },
      { name: 'Do-not-call list', description: 'The numbers that the account does not call.' },
      { name: 'Calling policy', description: 'When, and how often, the account calls.' },
      { name: 'Agents', description: 'What conducts the calls. Every change is a new version.' },
      { name: 'Account', description: 'The balance, the limits, the ledger and the numbers of the account.' },
      { name: 'API keys', description: 'Keys for programs of the account.' },
      { name: 'Credentials', description: 'Keys of model providers, and secrets of tools.' },
      { name: 'Webhooks', description: 'Endpoints that learn what happens to calls, and what was sent to them.' },
      { name: 'Service', description: 'Health of the service. Requires no key.' },
    ],
    paths: { ...pathsOf(contracts), ...SERVICE_PATHS },
    webhooks: describeWebhooks(),
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of the account.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key in `Authorization: Bearer`.' },
      },
      parameters: {
        RequestId: {
          name: 'X-Request-Id',
          in: 'header',
          required: false,
          description: 'Identifies the request in the service’s log. Generated if absent.',
          schema: { type: 'string' },
        },
      },
      headers: {
        'X-Request-Id': { description: 'Identifies the request in the service’s log.', schema: { type: 'string' } },
      },
    },
  };
}

function pathsOf(contracts: readonly RouteContract[]): Readonly<Record<string, JsonSchema>> {
  const paths: Record<string, JsonSchema> = {};
  for (const contract of contracts) {
    const path = contract.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operationOf(contract) };
  }
  return paths;
}

function description(): string {
  const rows = ERROR_CODES.map((code) => `| ${statusOf(code)} | \`${code}\` | ${ERROR_MEANINGS[code]} |`).toSorted();
  return [
    'JSON is snake_case; ids are UUIDs; times are ISO 8601 UTC with milliseconds; amounts are decimal numbers of `currency` units. Responses may gain fields.',
    'Send an API key as `X-API-Key` or as `Authorization: Bearer`. The key must have the scope that a route names: `outbound` or `manage`. Every response carries the id of its request in `X-Request-Id`.',
    `An error is \`{"error": {"code", "message", "param"?, "details"?, "request_id"}}\`.`,
    '<details><summary>All error codes</summary>',
    ['| status | code | |', '| --- | --- | --- |', ...rows].join('\n'),
    '</details>',
  ].join('\n\n');
}

/** Operations that need no key. */
const SERVICE_PATHS: Readonly<Record<string, JsonSchema>> = {
  [DOCUMENT_PATH]: {
    get: openOperation('getDocument', 'Read this document', { 200: 'The document.' }),
  },
  '/healthz': {
    get: openOperation('getHealth', 'Check whether the process runs', { 200: 'The process runs.' }),
  },
  '/readyz': {
    get: {
      ...openOperation('getReadiness', 'Check whether calls can be created', {
        200: 'Calls can be created.',
        503: 'Calls cannot be created. The response names the store that is away or superseded, or says `starting` or `draining`.',
      }),
      parameters: [
        {
          name: 'stores',
          in: 'query',
          description:
            '`ignore`: 200 from the end of the start until the process ends, whatever the stores do. For load balancers.',
          schema: { type: 'string', enum: ['ignore'] },
        },
      ],
    },
  },
};

function openOperation(operationId: string, summary: string, answers: Readonly<Record<number, string>>): JsonSchema {
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  const content = { 'application/json': { schema: { type: 'object' } } };
  return {
    operationId,
    tags: ['Service'],
    summary,
    security: [],
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, description]) => [status, { description, headers, content }]),
    ),
  };
}
