import { wrapConversation, type CallSound, type Conversation, type Conversations } from '@outdial/calls';
import { newSoundMessage, overMessage, type CallId } from '@outdial/contracts';
import type { Clock, Timer } from '@outdial/kernel';
import type { CallSoundPublisher } from '@outdial/queue';
import { encodeG711 } from '@outdial/telephony';

export interface MonitoredCallsOptions {
  readonly conversations: Conversations;
  readonly publisher: CallSoundPublisher;
  readonly clock: Clock;
  /** Counts a batch of sound that was sent to Redis, or dropped. */
  readonly onBatch: (outcome: 'published' | 'dropped') => void;
}

/** The live calls of this worker that members may listen to. Nothing here can change a call. */
export interface MonitoredCalls {
  /** The same conversations; each can be listened to while it lasts. */
  readonly conversations: Conversations;
  /** Members listen to the call for so long from now on. 0: none does. A call of another worker is ignored. */
  monitored(callId: CallId, forMs: number): void;
}

interface LiveCall {
  readonly conversation: Conversation;
  /** Ends the lease. Null: no member listens. */
  lapse: Timer | null;
}

export function createMonitoredCalls(options: MonitoredCallsOptions): MonitoredCalls {
  const { clock, publisher, onBatch } = options;
  const live = new Map<CallId, LiveCall>();

  function send(callId: CallId, { firstFrame, samples }: CallSound): void {
    const { message, bodyAt } = newSoundMessage(firstFrame, samples.length);
    encodeG711('PCMU', samples, message, bodyAt);
    onBatch(publisher.publish(callId, message) ? 'published' : 'dropped');
  }

  function forget(callId: CallId, call: LiveCall): void {
    if (live.get(callId) !== call) return;
    live.delete(callId);
    if (call.lapse === null) return;
    call.lapse.cancel();
    // Lost with Redis at times: the API also reads that the call has ended.
    publisher.publish(callId, overMessage());
  }

  return {
    conversations: {
      open(input) {
        const { callId } = input;
        const conversation = options.conversations.open(input);
        const call: LiveCall = { conversation, lapse: null };
        live.set(callId, call);
        return wrapConversation(conversation, {
          finish() {
            forget(callId, call);
            return conversation.finish();
          },
        });
      },
    },
    monitored(callId, forMs) {
      const call = live.get(callId);
      if (!call?.conversation.monitor) return;
      call.lapse?.cancel();
      call.lapse = forMs > 0 ? clock.after(forMs, () => stop(call)) : null;
      call.conversation.monitor(forMs, (sound) => send(callId, sound));
    },
  };
}

function stop(call: LiveCall): void {
  call.lapse = null;
  call.conversation.monitor?.(0, () => undefined);
}
