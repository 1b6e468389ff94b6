import type { FromMind, MindLink } from '@outdial/agents';
import type { Clock, Logger } from '@outdial/kernel';
import type { ToolRunner } from '@outdial/minds';
import { ConductedMind } from '../../model-thread/conducted-mind.ts';
import type { CallToOpen } from '../../model-thread/messages.ts';
import type { OpenMind } from '../../model-thread/open-mind.ts';

export interface LocalLinkOptions {
  readonly call: CallToOpen;
  readonly openMind: OpenMind;
  readonly tools: ToolRunner;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A fallback needs its own line, and a try has none. */
const NO_FALLBACKS = { used: () => undefined, nearLimit: () => undefined, takeLine: async () => false };

/** The mind of one try in the thread of its agent: no call depends on this thread. Throws if its models cannot be opened. */
export function createLocalLink(options: LocalLinkOptions): MindLink {
  const { call, openMind, tools, clock, logger } = options;
  return {
    attach(_callId, listener) {
      let isReleased = false;
      // As over a bridge: an agent never hears of what it asks while it asks it.
      const post = (message: FromMind) =>
        queueMicrotask(() => {
          if (!isReleased) listener(message);
        });
      const mind = new ConductedMind({ call, openMind, tools, clock, logger, post, uses: NO_FALLBACKS });
      return {
        send: (message) =>
          mind.receive(message.kind === 'audio' ? { ...message, ulaw: message.ulaw.slice() } : message),
        release() {
          isReleased = true;
          mind.close();
        },
      };
    },
  };
}
