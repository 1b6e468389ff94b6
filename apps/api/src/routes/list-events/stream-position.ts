/** How much of a call's stream a client has. */
export interface StreamPosition {
  /** Id of the last event of the timeline. */
  readonly eventId: string;
  /** Index of the first turn that it lacks. */
  readonly fromIndex: number;
}

const FORM = /^(\d{1,19})(?:-(\d{1,6}))?$/;

/** The form in which a message's id carries it: the id of an event, and once there were turns, their number. */
export function writePosition({ eventId, fromIndex }: StreamPosition): string {
  return fromIndex === 0 ? eventId : `${eventId}-${fromIndex}`;
}

/** Null for text that this format did not produce. */
export function readPosition(text: string): StreamPosition | null {
  const [, eventId, turns = '0'] = FORM.exec(text) ?? [];
  return eventId === undefined ? null : { eventId, fromIndex: Number(turns) };
}
