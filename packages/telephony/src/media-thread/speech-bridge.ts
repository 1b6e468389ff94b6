import type { MessagePort } from 'node:worker_threads';
import type { SpeechSynthesizer } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';

type SpeechInput = Parameters<SpeechSynthesizer['synthesize']>[0];

interface SpeechRequest {
  readonly id: number;
  readonly input: SpeechInput;
}

type SpeechReply =
  | { readonly kind: 'spoken'; readonly id: number; readonly samples: Int16Array }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

interface Waiting {
  readonly resolve: (samples: Int16Array) => void;
  readonly reject: (error: Error) => void;
}

/** A speech synthesizer in another thread: the one that `serveSpeech` serves at the other end of the port. */
export function createSpeechBridge(port: MessagePort): SpeechSynthesizer {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let lost = false;

  function answer(reply: SpeechReply): void {
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    switch (reply.kind) {
      case 'spoken':
        asked?.resolve(reply.samples);
        break;
      case 'failed':
        asked?.reject(new Error(reply.message));
        break;
      default:
        unreachable(reply);
    }
  }

  port.on('message', answer);
  port.on('close', () => {
    lost = true;
    for (const { reject } of waiting.values()) reject(new Error('the speech thread is gone'));
    waiting.clear();
  });

  return {
    synthesize: (input) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        if (lost) return reject(new Error('the speech thread is gone'));
        waiting.set(lastId, { resolve, reject });
        port.postMessage({ id: lastId, input } satisfies SpeechRequest);
      }),
  };
}

/** Serves the bridge at the other end of the port. */
export function serveSpeech(port: MessagePort, speech: SpeechSynthesizer): void {
  const shared = new WeakMap<Int16Array, Int16Array>();

  /** Uses shared memory: a sentence that a thousand calls play is neither copied nor stored a thousand times. */
  function share(samples: Int16Array): Int16Array {
    const known = shared.get(samples);
    if (known) return known;
    const copy = new Int16Array(new SharedArrayBuffer(samples.byteLength));
    copy.set(samples);
    shared.set(samples, copy);
    return copy;
  }

  port.on('message', ({ id, input }: SpeechRequest) => {
    void speech.synthesize(input).then(
      (samples) => port.postMessage({ kind: 'spoken', id, samples: share(samples) } satisfies SpeechReply),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        port.postMessage({ kind: 'failed', id, message } satisfies SpeechReply);
      },
    );
  });
}
