import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { ProviderHangUp } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { CallModels } from './call-models.ts';
import type { ModelThreadInput } from './input.ts';
import type { CallToOpen, ToModelHost } from './messages.ts';
import { RunningThread, startModelWorker, type StartWorker } from './running-thread.ts';

export interface ModelThreadOptions extends Omit<ModelThreadInput, 'port'> {
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Receives the bridge to the agents: at the start, and again whenever the thread was started again. `onSilent` says that
   * they have given it up: another follows once the thread answers, or its successor has started.
   */
  readonly onBridge: (port: MessagePort, onSilent: () => void) => void;
  /** Breakers and lines of the calls. */
  readonly calls: Pick<CallModels, 'used' | 'nearLimit' | 'takeLine'>;
  /** Lets a test start a thread that dies or blocks on demand. */
  readonly startWorker?: StartWorker;
}

export interface ModelThread {
  openCall(call: CallToOpen): void;
  refuseCall(callId: CallId, failure: string, reason: ProviderHangUp): void;
  forgetCall(callId: CallId): void;
  close(): Promise<void>;
}

/**
 * Runs the model thread from the first call that needs it. When it has died or is stuck it is started again, at once if
 * it had calls: those that it had not taken yet are opened in the new one. Calls without models notice nothing.
 */
export function createModelThread(options: ModelThreadOptions): ModelThread {
  return new SupervisedThread(options);
}

type Opening = Extract<ToModelHost, { kind: 'open' | 'refuse' }>;

class SupervisedThread implements ModelThread {
  readonly #options: ModelThreadOptions;
  /** Calls that are not over. */
  readonly #openings = new Map<CallId, Opening>();
  #running: RunningThread | undefined;
  /** The running thread was given a call that the one before had not. */
  #hasServed = false;
  #isClosed = false;

  constructor(options: ModelThreadOptions) {
    this.#options = options;
  }

  openCall(call: CallToOpen): void {
    this.#open(call.callId, { kind: 'open', call, onceAttached: false });
  }

  refuseCall(callId: CallId, failure: string, reason: ProviderHangUp): void {
    this.#open(callId, { kind: 'refuse', callId, failure, reason });
  }

  forgetCall(callId: CallId): void {
    this.#openings.delete(callId);
    this.#running?.post({ kind: 'forget', callId });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.end();
  }

  #open(callId: CallId, opening: Opening): void {
    this.#run().post(opening);
    this.#hasServed = true;
    this.#openings.set(callId, opening);
  }

  #run(): RunningThread {
    return (this.#running ??= this.#start());
  }

  #start(): RunningThread {
    const { clock, logger, calls, startWorker = startModelWorker, onBridge: _, ...input } = this.#options;
    const onEnd = (error: unknown, hasStarted: boolean): void => {
      this.#running = undefined;
      logger.warn({ event: 'model_thread.lost', err: error }, 'the model thread ended or was stuck');
      // The next call may be answered before a thread has loaded its code. One that was of no use is tried again by a call.
      const isWanted = hasStarted && (this.#openings.size > 0 || this.#hasServed);
      if (isWanted && !this.#isClosed) this.#run();
    };
    this.#hasServed = false;
    const running = new RunningThread({ input, clock, calls, startWorker, onEnd });
    this.#connect(running);
    // Agents of the lost thread's calls have given up; one that is only being prepared attaches to the new thread.
    for (const opening of this.#openings.values()) {
      running.post(opening.kind === 'open' ? { ...opening, onceAttached: true } : opening);
    }
    return running;
  }

  #connect(running: RunningThread): void {
    const bridge = new MessageChannel();
    running.post({ kind: 'bridge', port: bridge.port2 });
    this.#options.onBridge(bridge.port1, () => running.whenItAnswers(() => this.#connect(running)));
  }
}
