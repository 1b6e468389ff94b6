import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { ProviderHangUp } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { unreachable, type Clock, type Logger, type Timer } from '@outdial/kernel';
import type { CallModels } from './call-models.ts';
import type { ModelThreadInput } from './input.ts';
import type { CallToOpen, FromModelHost, ToModelHost } from './messages.ts';

export interface ModelThreadOptions extends Omit<ModelThreadInput, 'port'> {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Receives the bridge to the agents: at the start, and again whenever the thread was started again. */
  readonly onBridge: (port: MessagePort) => void;
  /** Breakers and lines of the calls. */
  readonly calls: Pick<CallModels, 'used' | 'takeLine'>;
}

export interface ModelThread {
  openCall(call: CallToOpen): void;
  refuseCall(callId: CallId, failure: string, reason: ProviderHangUp): void;
  forgetCall(callId: CallId): void;
  close(): Promise<void>;
}

const PING_EVERY_MS = 1_000;
/** Agents have given a stuck thread up before this. */
const STUCK_AFTER_MS = 4_000;

/**
 * Runs the model thread from the first call that needs it, and starts it again for the next one when it has died or was
 * stuck. Calls without models notice nothing.
 */
export function createModelThread(options: ModelThreadOptions): ModelThread {
  return new SupervisedThread(options);
}

class SupervisedThread implements ModelThread {
  readonly #options: ModelThreadOptions;
  #running: RunningThread | undefined;

  constructor(options: ModelThreadOptions) {
    this.#options = options;
  }

  openCall(call: CallToOpen): void {
    this.#run().post({ kind: 'open', call });
  }

  refuseCall(callId: CallId, failure: string, reason: ProviderHangUp): void {
    this.#run().post({ kind: 'refuse', callId, failure, reason });
  }

  forgetCall(callId: CallId): void {
    this.#running?.post({ kind: 'forget', callId });
  }

  async close(): Promise<void> {
    await this.#running?.end();
  }

  #run(): RunningThread {
    if (this.#running !== undefined) return this.#running;
    const { clock, logger, onBridge, calls, ...input } = this.#options;
    const running = new RunningThread(input, { clock, calls }, (error) => {
      this.#running = undefined;
      logger.warn({ event: 'model_thread.lost', err: error }, 'the model thread ended or was stuck');
    });
    this.#running = running;
    const bridge = new MessageChannel();
    running.post({ kind: 'bridge', port: bridge.port2 });
    onBridge(bridge.port1);
    return running;
  }
}

/** One thread, from its start to its end. */
class RunningThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #clock: Clock;
  readonly #calls: ModelThreadOptions['calls'];
  readonly #onEnd: (error: unknown) => void;
  readonly #exited: Promise<void>;
  #ping: Timer | undefined;
  #pings = 0;
  #heardAtMs = 0;
  #isOver = false;

  /** `onEnd` is called once, unless the thread was asked to end. */
  constructor(
    input: Omit<ModelThreadInput, 'port'>,
    { clock, calls }: Pick<ModelThreadOptions, 'clock' | 'calls'>,
    onEnd: (error: unknown) => void,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.#clock = clock;
    this.#calls = calls;
    this.#onEnd = onEnd;
    this.#port = port1;
    this.#worker = startWorker({ ...input, port: port2 });
    port1.on('message', (message: FromModelHost) => this.#receive(message));
    this.#worker.once('error', (error) => this.#end(error));
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        resolve();
        this.#end(new Error(`the model thread ended with code ${code}`));
      });
    });
  }

  post(message: ToModelHost): void {
    if (!this.#isOver) this.#port.postMessage(message, message.kind === 'bridge' ? [message.port] : []);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#ping?.cancel();
    this.#port.close();
    await this.#worker.terminate();
    await this.#exited;
  }

  #receive(message: FromModelHost): void {
    this.#heardAtMs = this.#clock.monotonicMs();
    switch (message.kind) {
      case 'ready':
        return this.#pingLater();
      case 'pong':
        return;
      case 'used':
        return this.#calls.used(message.callId, message.model, message.outcome);
      case 'take_line': {
        const { nth, callId, model } = message;
        void this.#calls.takeLine(callId, model).then((isTaken) => this.post({ kind: 'line', nth, isTaken }));
        return;
      }
      default:
        return unreachable(message);
    }
  }

  #pingLater(): void {
    this.#ping = this.#clock.after(PING_EVERY_MS, () => {
      if (this.#isOver) return;
      if (this.#clock.monotonicMs() - this.#heardAtMs > STUCK_AFTER_MS) {
        void this.#worker.terminate();
        return this.#end(new Error('the model thread was stuck'));
      }
      this.#pings += 1;
      this.post({ kind: 'ping', nth: this.#pings });
      this.#pingLater();
    });
  }

  #end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ping?.cancel();
    this.#port.close();
    this.#onEnd(error);
  }
}

/** The file beside this one: the built one in production, the source in development and in tests. */
function startWorker(workerData: ModelThreadInput): Worker {
  const options = { workerData, transferList: [workerData.port] };
  if (import.meta.url.endsWith('.js')) {
    return new Worker(new URL('./thread.js', import.meta.url), { ...options, execArgv: [] });
  }
  const entry = new URL('./thread-from-source.mjs', import.meta.url);
  return new Worker(entry, { ...options, execArgv: ['--conditions=@outdial/source'] });
}
