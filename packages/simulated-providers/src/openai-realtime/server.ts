import { faultOf } from '../faults.ts';
import type { SocketEndpoint } from '../http/endpoints.ts';
import { inputUnder } from '../realtime-fault.ts';
import type { RealtimeServerInput } from '../realtime-input.ts';
import { azure } from './dialects/azure.ts';
import type { SimulatedDialect } from './dialects/dialect.ts';
import { openAi } from './dialects/openai.ts';
import { xai } from './dialects/xai.ts';
import { FaultyEvents } from './faulty-events.ts';
import { RealtimeSession } from './session.ts';

/** The Realtime API of a provider. */
function realtimeEndpoint(dialect: SimulatedDialect, input: RealtimeServerInput): SocketEndpoint {
  let sessions = 0;
  return {
    path: dialect.path,
    open(address) {
      const model = address.url.searchParams.get('model') ?? '';
      const refusal = dialect.access(address, model);
      if (refusal !== null) return { refusal };
      return {
        serve(client) {
          const fault = faultOf(model);
          const events = new FaultyEvents(client, fault, dialect.shape);
          sessions += 1;
          const session = new RealtimeSession({
            ...inputUnder(fault, input),
            dialect,
            name: String(sessions),
            model,
            fault,
            send: (event) => events.send(event),
          });
          client.on('message', (data, isBinary) => {
            if (isBinary) client.close(1_003, 'binary messages are not supported');
            else if (Buffer.isBuffer(data)) session.receive(data.toString('utf8'));
          });
          client.on('close', () => session.close());
        },
      };
    },
  };
}

/** Every provider that has it. */
export function realtimeEndpoints(input: RealtimeServerInput): readonly SocketEndpoint[] {
  return [openAi, azure, xai].map((dialect) => realtimeEndpoint(dialect, input));
}
