import { serializeMessage } from '../src/syntax/message.ts';
import type { Channel, Inbound, Transport } from '../src/transport/transport.ts';

/** A message is repeated seven times or more: losing three copies of it in a row is bad luck, losing all of them is none. */
const MOST_LOST_IN_A_ROW = 3;

export interface LossyTransport extends Transport {
  /** Messages that did not arrive so far, both ways. */
  readonly lost: number;
}

/** Loses a share of all messages, in both directions, but never so many copies of one that no repetition could help. */
export function loseSome(inner: Transport, share: number): LossyTransport {
  const lostInARow = new Map<string, number>();
  let lost = 0;

  const loses = (key: string): boolean => {
    const before = lostInARow.get(key) ?? 0;
    const isLost = before < MOST_LOST_IN_A_ROW && Math.random() < share;
    lostInARow.set(key, isLost ? before + 1 : 0);
    if (isLost) lost += 1;
    return isLost;
  };

  const lossy = (channel: Channel): Channel => ({
    remote: channel.remote,
    local: channel.local,
    reliable: channel.reliable,
    get usable() {
      return channel.usable;
    },
    onlyWayBack: channel.onlyWayBack,
    onClosed: (listener) => channel.onClosed(listener),
    send: (bytes, onDone) => {
      // The system takes the datagram all the same: nobody is told that it was lost.
      if (loses(`sent ${bytes.toString()}`)) queueMicrotask(() => onDone(undefined));
      else channel.send(bytes, onDone);
    },
  });

  return {
    get lost() {
      return lost;
    },
    listen: (onInbound) =>
      inner.listen((inbound: Inbound) => {
        if (loses(`received ${serializeMessage(inbound.message).toString()}`)) return;
        onInbound({ ...inbound, channel: lossy(inbound.channel) });
      }),
    open: async (destination) => lossy(await inner.open(destination)),
    close: () => inner.close(),
  };
}
