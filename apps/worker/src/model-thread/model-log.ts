import type { Logger } from '@outdial/kernel';
import type { OpenSocket } from '@outdial/minds';

/** A value without what it says: lengths of texts, names of fields. */
type Shape = string | readonly Shape[] | { readonly [name: string]: Shape };

const MAX_DEPTH = 5;
const MAX_PARTS = 20;
/** Names of fields may be a customer's: in the schemas of tools. */
const FIELD_NAME = /^[A-Za-z_]{1,40}$/;
/** The name of an event. Without digits: it can be neither a key nor a number. */
const EVENT_NAME = /^[A-Za-z][A-Za-z_.]{0,79}$/;
/** 25 of these come in a second of a call. */
const SOUND = /^\{"(?:type":"[a-z_.]*audio[a-z_.]*(?:append|delta)"|realtimeInput")/;

/**
 * Sockets that log the shapes of what is said over them: names of events and fields, lengths of texts. No sound, no text, no
 * number, no header, no path. Null: they log nothing.
 */
export function loggedSockets(logger: Logger | null, open: OpenSocket): OpenSocket {
  if (logger === null) return open;
  return (address, listener) => {
    const provider = hostOf(address.url);
    const log = (direction: 'sent' | 'received', text: string) => {
      if (SOUND.test(text)) return;
      logger.info(
        { event: 'model.message', provider, direction, shape: shapeOf(parsed(text)) },
        'a message of a model',
      );
    };
    const socket = open(address, {
      ...listener,
      received(text) {
        log('received', text);
        listener.received(text);
      },
      ended(end) {
        const code = end.kind === 'closed' ? end.code : end.kind === 'refused' ? end.status : null;
        logger.info({ event: 'model.socket_ended', provider, end: end.kind, code }, 'a connection to a model ended');
        listener.ended(end);
      },
    });
    return {
      send(data) {
        if (typeof data === 'string') log('sent', data);
        socket.send(data);
      },
      close: () => socket.close(),
    };
  };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : 'unknown');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function shapeOf(value: unknown, depth = 0): Shape {
  if (typeof value === 'string') return `text of ${value.length}`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  if (depth === MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_PARTS).map((part) => shapeOf(part, depth + 1));
  const fields = Object.entries(value).slice(0, MAX_PARTS);
  return Object.fromEntries(
    fields.map(([name, part], at) => {
      const isEvent = depth === 0 && name === 'type' && typeof part === 'string' && EVENT_NAME.test(part);
      return [FIELD_NAME.test(name) ? name : `field ${at}`, isEvent ? part : shapeOf(part, depth + 1)];
    }),
  );
}
