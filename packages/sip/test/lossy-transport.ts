import { serializeMessage } from '../src/syntax/message.ts';
import type { Channel, Inbound, Transport } from '../src/transport/transport.ts';

/** A message is sent seven times or more: losing three copies in a row is plausible, losing all of them is not. */
const MAX_LOST_IN_A_ROW = 3;

export interface LossyTransport extends Transport {
  /** Messages lost so far, in both directions. */
  readonly lost: number;
}

/**
 * Loses a share of all messages in both directions, but never so many copies of one that retransmission cannot help.
 */
export function loseSome(inner: Transport, share: number): LossyTransport {
  const lostInARow = new Map<string, number>();
  let lost = 0;

  const loses = (key: string): boolean => {
    const before = lostInARow.get(key) ?? 0;
    const isLost = before < MAX_LOST_IN_A_ROW && Math.random() < share;
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
    isOnlyReturnPath: channel.isOnlyReturnPath,
    onClosed: (listener) => channel.onClosed(listener),
    send: (bytes, onDone) => {
      // The system accepts the datagram all the same: the sender does not learn of the loss.
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
