import type { Server } from 'node:http';
import { liveEndpoint } from './gemini-live/server.ts';
import { serveEndpoints, type ServedEndpoints } from './http/endpoints.ts';
import { realtimeEndpoints, type RealtimeServerInput } from './openai-realtime/server.ts';

/** Serves models of speech to speech alone, of every provider. */
export function serveRealtime(server: Server, input: RealtimeServerInput): ServedEndpoints {
  return serveEndpoints(server, { sockets: [...realtimeEndpoints(input), liveEndpoint(input)], requests: [] });
}
