import { serializeMessage, type SipRequest } from '../syntax/message.ts';
import type { Channel } from '../transport/transport.ts';

/** Sends and retransmits one request, and knows whether any byte of it can have reached the far end. */
export class RequestSender {
  readonly #channel: Channel;
  readonly #bytes: Buffer;
  readonly #onLost: (error: Error, mayHaveLeft: boolean) => void;
  #mayHaveLeft = false;

  constructor(channel: Channel, request: SipRequest, onLost: (error: Error, mayHaveLeft: boolean) => void) {
    this.#channel = channel;
    this.#bytes = serializeMessage(request);
    this.#onLost = onLost;
  }

  send(): void {
    this.#channel.send(this.#bytes, (failure) => {
      if (failure === undefined) {
        this.#mayHaveLeft = true;
        return;
      }
      // A failed retransmission changes nothing while an earlier one may be on its way: the timers decide.
      if (this.#mayHaveLeft && !this.#channel.reliable) return;
      this.#mayHaveLeft ||= failure.mayHaveLeft;
      this.#onLost(failure.error, this.#mayHaveLeft);
    });
  }
}
