import type { Server } from 'node:http';
import { liveEndpoint } from './gemini-live/server.ts';
import { serveEndpoints, type ServedEndpoints } from './http/endpoints.ts';
import { gptLiveEndpoint } from './openai-live/server.ts';
import { realtimeEndpoints } from './openai-realtime/server.ts';
import type { RealtimeServerInput } from './realtime-input.ts';

/** Serves models of speech to speech alone, of every provider. */
export function serveRealtime(server: Server, input: RealtimeServerInput): ServedEndpoints {
  const sockets = [...realtimeEndpoints(input), liveEndpoint(input), gptLiveEndpoint(input)];
  return serveEndpoints(server, { sockets, requests: [] });
}
