import { secretEnvelopeSchema, secretListSchema, secretParamsSchema, setSecretSchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

const PATH = '/api/v1/secrets';

export const listSecretsContract = defineContract({
  method: 'GET',
  path: PATH,
  scope: 'manage',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: secretListSchema },
  errors: [],
  docs: {
    operationId: 'listSecrets',
    tag: 'Credentials',
    summary: 'List the secrets',
    description: 'The names of the secrets of the account. Nothing shows their values.',
    answers: { 200: { description: 'The secrets, without their values.' } },
  },
});

export const setSecretContract = defineContract({
  method: 'PUT',
  path: `${PATH}/:secret_name`,
  scope: 'manage',
  params: secretParamsSchema,
  query: NO_QUERY,
  body: setSecretSchema,
  responses: { 200: secretEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'secret_key_missing'],
  docs: {
    operationId: 'setSecret',
    tag: 'Credentials',
    summary: 'Save a secret for tools',
    description:
      'Creates a secret or replaces its value. Headers of HTTP tools name it as `{{secret.NAME}}`. The value is sealed, and no response contains it.',
    answers: { 200: { description: 'The secret, without its value.' } },
  },
});

export const deleteSecretContract = defineContract({
  method: 'DELETE',
  path: `${PATH}/:secret_name`,
  scope: 'manage',
  params: secretParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['secret_not_found'],
  docs: {
    operationId: 'deleteSecret',
    tag: 'Credentials',
    summary: 'Delete a secret',
    description: 'Tools that name it fail from then on.',
    answers: { 204: { description: 'The secret was deleted.' } },
  },
});
