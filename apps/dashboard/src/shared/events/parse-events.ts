export interface StreamEvent {
  /** Null: the event has no id, and a new stream resumes after the last event that has one. */
  readonly id: string | null;
  readonly type: string;
  readonly data: string;
}

interface Fields {
  id: string | null;
  type: string;
  data: string[];
}

const none = (): Fields => ({ id: null, type: 'message', data: [] });

/**
 * A parser of `text/event-stream`. It takes text in pieces of any size and returns the events that are complete.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function createEventReader(): (text: string) => readonly StreamEvent[] {
  let rest = '';
  let fields = none();
  return (text) => {
    const events: StreamEvent[] = [];
    // A CR at the end may be half of a CRLF: wait for the next piece.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') {
        readField(fields, line);
        continue;
      }
      if (fields.data.length > 0) events.push({ id: fields.id, type: fields.type, data: fields.data.join('\n') });
      fields = none();
    }
    return events;
  };
}

function readField(fields: Fields, line: string): void {
  const colon = line.indexOf(':');
  // A comment keeps the connection alive.
  if (colon === 0) return;
  const name = colon === -1 ? line : line.slice(0, colon);
  const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data') fields.data.push(value);
  else if (name === 'event') fields.type = value === '' ? 'message' : value;
  else if (name === 'id' && !value.includes('\0')) fields.id = value;
}
