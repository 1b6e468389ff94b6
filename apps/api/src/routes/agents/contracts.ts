import {
  agentEnvelopeSchema,
  agentListSchema,
  agentVersionEnvelopeSchema,
  agentVersionListSchema,
  listAgentsQuerySchema,
  listAgentVersionsSchema,
  saveAgentSchema,
  updateAgentSchema,
} from '@outdial/contracts';
import { z } from 'zod';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';
import { agentParams } from './agent-params.ts';

/** Instructions and knowledge at their longest, in a script of three bytes a character. */
const MAX_SETTINGS_BYTES = 512 * 1024;

export const listAgentsContract = defineContract({
  scope: 'outbound',
  method: 'GET',
  path: '/api/v1/agents',
  params: NO_PARAMS,
  query: listAgentsQuerySchema,
  body: NO_BODY,
  responses: { 200: agentListSchema },
  errors: [],
  docs: {
    operationId: 'listAgents',
    tag: 'Agents',
    summary: 'List agents',
    description:
      'The agents that the account may use, oldest first: its own, and those that other accounts granted to it. A page may have fewer than `limit` agents: continue while `has_more`.',
    answers: { 200: { description: 'A page of agents, without their settings.' } },
  },
});

export const createAgentContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'POST',
  path: '/api/v1/agents',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: saveAgentSchema,
  maxBodyBytes: MAX_SETTINGS_BYTES,
  responses: { 201: agentEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type'],
  docs: {
    operationId: 'createAgent',
    tag: 'Agents',
    summary: 'Create an agent',
    description:
      'Creates an agent at version 1. The settings are checked completely: texts and placeholders, JSON Schemas, the addresses of tools, and the names of credentials. Each MCP server among the `tools` is asked for its tools, which takes up to 7 seconds. The version keeps what it lists as `listed`.',
    answers: { 201: { description: 'The new agent. Calls can use it at once.' } },
  },
});

export const getAgentContract = defineContract({
  scope: 'outbound',
  method: 'GET',
  path: '/api/v1/agents/:agent_id',
  params: agentParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: agentEnvelopeSchema },
  errors: ['agent_not_found'],
  docs: {
    operationId: 'getAgent',
    tag: 'Agents',
    summary: 'Read an agent',
    description: 'The agent with its settings. Only the account that owns an agent sees its settings.',
    answers: { 200: { description: 'The agent.' } },
  },
});

export const updateAgentContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'PATCH',
  path: '/api/v1/agents/:agent_id',
  params: agentParams,
  query: NO_QUERY,
  body: updateAgentSchema,
  maxBodyBytes: MAX_SETTINGS_BYTES,
  responses: { 200: agentEnvelopeSchema },
  errors: ['agent_not_found', 'version_conflict', 'body_too_large', 'unsupported_media_type'],
  docs: {
    operationId: 'updateAgent',
    tag: 'Agents',
    summary: 'Change an agent',
    description:
      'Saves `settings` as a new version. They replace the earlier settings completely. MCP servers are asked for their tools again. Calls that were accepted before keep their version. Send the version that you edited as `base_version`: if it is no longer the current one, nothing changes, and the error `version_conflict` has `details.current_version`.',
    answers: { 200: { description: 'The agent at its new version.' } },
  },
});

export const listAgentVersionsContract = defineContract({
  scope: 'outbound',
  method: 'GET',
  path: '/api/v1/agents/:agent_id/versions',
  params: agentParams,
  query: listAgentVersionsSchema,
  body: NO_BODY,
  responses: { 200: agentVersionListSchema },
  errors: ['agent_not_found'],
  docs: {
    operationId: 'listAgentVersions',
    tag: 'Agents',
    summary: 'List the versions of an agent',
    description: 'Every saved version of an agent that the account owns, newest first.',
    answers: { 200: { description: 'A page of versions, without their settings.' } },
  },
});

const MAX_VERSION = 2_147_483_647;
const versionNumber = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be a version such as 3')
  .transform(Number)
  .refine((version) => version <= MAX_VERSION, 'must be a version such as 3')
  .meta({ description: 'The number of the version.', type: 'integer', minimum: 1 });

export const getAgentVersionContract = defineContract({
  scope: 'outbound',
  method: 'GET',
  path: '/api/v1/agents/:agent_id/versions/:version',
  params: agentParams.extend({ version: versionNumber }),
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: agentVersionEnvelopeSchema },
  errors: ['agent_not_found'],
  docs: {
    operationId: 'getAgentVersion',
    tag: 'Agents',
    summary: 'Read a version of an agent',
    description:
      'One saved version of an agent that the account owns, with its settings. To restore it, save its settings as a new version.',
    answers: { 200: { description: 'The version.' } },
  },
});
