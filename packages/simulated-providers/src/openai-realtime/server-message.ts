import type { RealtimeServerEvent } from 'openai/resources/realtime/realtime';

/** An event of the Realtime API without its id, which the sender adds. */
export type ServerMessage = RealtimeServerEvent extends infer Event
  ? Event extends { event_id: string }
    ? Omit<Event, 'event_id'>
    : never
  : never;
