export interface StreamEvent {
  /** Null: it has none, and a new stream goes on after the one before. */
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
 * A reader of `text/event-stream`: is given text as it comes, in whatever pieces, and gives the events that are complete.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function createEventReader(): (text: string) => readonly StreamEvent[] {
  let rest = '';
  let fields = none();
  return (text) => {
    const events: StreamEvent[] = [];
    // A CR at the end may be half of a CRLF: it waits for what comes next.
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
  // A comment, which keeps the connection alive.
  if (colon === 0) return;
  const name = colon === -1 ? line : line.slice(0, colon);
  const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data') fields.data.push(value);
  else if (name === 'event') fields.type = value === '' ? 'message' : value;
  else if (name === 'id' && !value.includes('\0')) fields.id = value;
}
