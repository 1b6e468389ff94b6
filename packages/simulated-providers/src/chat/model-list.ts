import { anthropicAccess } from '../anthropic/access.ts';
import type { RequestEndpoint } from '../http/endpoints.ts';
import { refuseRequest } from '../http/refusal.ts';
import { openAiAccess } from '../openai-realtime/dialects/openai.ts';

const OPENAI_MODELS = ['gpt-simulated', 'gpt-4.1-mini'];
const ANTHROPIC_MODELS = ['claude-simulated', 'claude-haiku-4-5'];

/** The models of an account: `/v1/models`. Two providers have the same path, and different headers. */
export function modelList(): RequestEndpoint {
  return {
    method: 'GET',
    path: /^(?:\/local)?\/v1\/models$/,
    handle(address, response) {
      const isAnthropic = address.headers['anthropic-version'] !== undefined;
      const refusal = isAnthropic ? anthropicAccess(address, null) : openAiAccess(address, null);
      if (refusal !== null) return refuseRequest(response, refusal);
      const list = isAnthropic
        ? { data: ANTHROPIC_MODELS.map((id) => ({ type: 'model', id, display_name: id })), has_more: false }
        : {
            object: 'list',
            data: OPENAI_MODELS.map((id) => ({ id, object: 'model', created: 0, owned_by: 'simulated' })),
          };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
    },
  };
}
