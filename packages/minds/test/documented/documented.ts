export type Message = Readonly<Record<string, unknown>>;

/** Messages of a provider in the shapes of its documentation, with all of their fields. */
export interface Documented {
  /** A conversation that the driver follows. A string is sound in base64: a binary message. */
  readonly conversation: readonly (Message | string)[];
  /** What the provider may send at any time, and the driver has no use for. */
  readonly unused: readonly Message[];
  /** Kinds of messages that no documentation has yet. */
  readonly unknown: readonly Message[];
}

/** What is data of a model or of ours, in which another field would have a meaning. */
const DATA = new Set(['args', 'metadata']);

/** The same message with a field more in each of its objects. */
function widened<Value>(value: Value): Value;
function widened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part: unknown) => widened(part));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, DATA.has(name) ? field : widened(field)]);
  return { ...Object.fromEntries(fields), unheard_of: { since: '2031-01-01', parts: [1, null] } };
}

/** The conversation, in which each message is widened and follows one that the driver does not know. */
export function disturbed({ conversation, unused, unknown }: Documented): readonly (Message | string)[] {
  const others = [...unused, ...unknown];
  return conversation.flatMap((message, at) => {
    const other = others[at % others.length];
    return [...(other === undefined ? [] : [widened(other)]), widened(message)];
  });
}
