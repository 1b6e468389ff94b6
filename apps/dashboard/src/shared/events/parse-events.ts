import { createParser } from 'eventsource-parser';

export interface StreamEvent {
  /** Null: the event has no id, and a new stream resumes after the last event that has one. */
  readonly id: string | null;
  readonly type: string;
  readonly data: string;
}

/** A parser of `text/event-stream`. It takes text in pieces of any size and returns the events that are complete. */
export function createEventReader(): (text: string) => readonly StreamEvent[] {
  let events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ id = null, event = 'message', data }) => void events.push({ id, type: event, data }),
  });
  return (text) => {
    parser.feed(text);
    const complete = events;
    events = [];
    return complete;
  };
}
