import {
  checkCredentialQuerySchema,
  checkedCredentialSchema,
  createCredentialSchema,
  credentialEnvelopeSchema,
  credentialListSchema,
  credentialParamsSchema,
  listCredentialsQuerySchema,
  rotateCredentialSchema,
  updateCredentialSchema,
} from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

const PATH = '/api/v1/provider-credentials';

export const createCredentialContract = defineContract({
  method: 'POST',
  path: PATH,
  scope: 'manage',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createCredentialSchema,
  responses: { 201: credentialEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'credential_exists', 'secret_key_missing'],
  docs: {
    operationId: 'createCredential',
    tag: 'Credentials',
    summary: 'Save a key of a model provider',
    description:
      'The key is sealed, and no response contains it. A `base_url` must be a public address over TLS. The key is not checked here.',
    answers: { 201: { description: 'The credential, without its key.' } },
  },
});

export const listCredentialsContract = defineContract({
  method: 'GET',
  path: PATH,
  scope: 'manage',
  params: NO_PARAMS,
  query: listCredentialsQuerySchema,
  body: NO_BODY,
  responses: { 200: credentialListSchema },
  errors: [],
  docs: {
    operationId: 'listCredentials',
    tag: 'Credentials',
    summary: 'List the provider credentials',
    description: 'The credentials of the account, oldest first, in pages. Those of the operator are not listed.',
    answers: { 200: { description: 'A page of credentials, without their keys.' } },
  },
});

export const updateCredentialContract = defineContract({
  method: 'PATCH',
  path: `${PATH}/:credential_id`,
  scope: 'manage',
  params: credentialParamsSchema,
  query: NO_QUERY,
  body: updateCredentialSchema,
  responses: { 200: credentialEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'credential_not_found'],
  docs: {
    operationId: 'updateCredential',
    tag: 'Credentials',
    summary: 'Change the limits of a credential',
    description:
      'Omitted fields stay; null restores the default. Calls that start from then on follow the new limits. Open calls go on.',
    answers: { 200: { description: 'The credential, without its key.' } },
  },
});

export const rotateCredentialContract = defineContract({
  method: 'POST',
  path: `${PATH}/:credential_id/rotate`,
  scope: 'manage',
  params: credentialParamsSchema,
  query: NO_QUERY,
  body: rotateCredentialSchema,
  responses: { 200: credentialEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'credential_not_found', 'secret_key_missing'],
  docs: {
    operationId: 'rotateCredential',
    tag: 'Credentials',
    summary: 'Replace the key of a credential',
    description:
      'The id, the name and the address stay. Open calls go on with the old key. The last check is forgotten.',
    answers: { 200: { description: 'The credential, without its key.' } },
  },
});

export const deleteCredentialContract = defineContract({
  method: 'DELETE',
  path: `${PATH}/:credential_id`,
  scope: 'manage',
  params: credentialParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['credential_not_found'],
  docs: {
    operationId: 'deleteCredential',
    tag: 'Credentials',
    summary: 'Delete a credential',
    description: 'Deletes the key. Open calls go on; agents that name the credential place no more calls.',
    answers: { 204: { description: 'The credential was deleted.' } },
  },
});

export const checkCredentialContract = defineContract({
  method: 'POST',
  path: `${PATH}/:credential_id/check`,
  scope: 'manage',
  params: credentialParamsSchema,
  query: checkCredentialQuerySchema,
  body: NO_BODY,
  responses: { 200: checkedCredentialSchema },
  errors: ['credential_not_found', 'secret_key_missing'],
  docs: {
    operationId: 'checkCredential',
    tag: 'Credentials',
    summary: 'Ask the provider whether a key is valid',
    description:
      'Sends one request without tokens to the provider and waits up to 10 s. `unreachable` says nothing about the key. A check that ended while the key was replaced is returned and not saved.',
    answers: { 200: { description: 'What the check found, and the credential.' } },
  },
});
