import { cartesiaAccess } from './cartesia/tts-websocket.ts';
import { mayUse } from './deepgram/access.ts';
import { elevenLabsAccess } from './elevenlabs/multi-stream-input.ts';
import type { Address, RequestEndpoint } from './http/endpoints.ts';
import { refuseRequest, type Refusal } from './http/refusal.ts';
import { azureAccess } from './openai-realtime/dialects/azure.ts';
import { xaiAccess } from './openai-realtime/dialects/xai.ts';

function check(path: RegExp, access: (address: Address) => Refusal | null, body: unknown): RequestEndpoint {
  return {
    method: 'GET',
    path,
    handle(address, response) {
      const refusal = access(address);
      if (refusal !== null) return refuseRequest(response, refusal);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    },
  };
}

/** The requests with which a credential is checked, beside `/v1/models`. */
export function checkEndpoints(): readonly RequestEndpoint[] {
  return [
    check(/^\/openai\/v1\/models$/, (address) => azureAccess(address, null), { object: 'list', data: [] }),
    check(/^\/xai\/v1\/models$/, (address) => xaiAccess(address, null), { object: 'list', data: [] }),
    check(/^\/v1\/projects$/, mayUse, { projects: [{ project_id: 'project', name: 'Simulated' }] }),
    check(/^\/v1\/user$/, elevenLabsAccess, { user_id: 'user', subscription: { tier: 'simulated' } }),
    check(/^\/voices$/, cartesiaAccess, { data: [{ id: 'voice', name: 'Simulated' }], has_more: false }),
  ];
}
