import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { unreachable, type Clock, type Timer } from '@outdial/kernel';
import type { CallModels } from './call-models.ts';
import type { ModelThreadInput } from './input.ts';
import type { FromModelHost, ToModelHost } from './messages.ts';

const PING_EVERY_MS = 1_000;
/** Agents have given a stuck thread up before this. */
const STUCK_AFTER_MS = 4_000;

export interface RunningThreadOptions {
  readonly input: Omit<ModelThreadInput, 'port'>;
  readonly clock: Clock;
  readonly calls: Pick<CallModels, 'used' | 'nearLimit' | 'takeLine'>;
  readonly startWorker: StartWorker;
  /** Called once, unless the thread was asked to end. `hasStarted`: it had taken calls. */
  readonly onEnd: (error: unknown, hasStarted: boolean) => void;
}

export type StartWorker = (input: ModelThreadInput) => Worker;

/** One model thread, from its start to its end. */
export class RunningThread {
  readonly #options: RunningThreadOptions;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #exited: Promise<void>;
  #ping: Timer | undefined;
  #pings = 0;
  #heardAtMs = 0;
  #hasStarted = false;
  #onAnswer: (() => void) | null = null;
  #isOver = false;

  constructor(options: RunningThreadOptions) {
    this.#options = options;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = options.startWorker({ ...options.input, port: port2 });
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

  /** Calls it once the thread answers again, unless it is stuck for good. */
  whenItAnswers(callback: () => void): void {
    this.#onAnswer = callback;
    this.#askNow();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#ping?.cancel();
    this.#port.close();
    await this.#worker.terminate();
    await this.#exited;
  }

  #receive(message: FromModelHost): void {
    // What was on its way when it was given up is of no use to its successor.
    if (this.#isOver) return;
    this.#heardAtMs = this.#options.clock.monotonicMs();
    const onAnswer = this.#onAnswer;
    this.#onAnswer = null;
    onAnswer?.();
    switch (message.kind) {
      case 'ready':
        this.#hasStarted = true;
        return this.#pingLater();
      case 'pong':
        return;
      case 'used':
        return this.#options.calls.used(message.callId, message.model, message.outcome);
      case 'near_limit':
        return this.#options.calls.nearLimit(message.callId, message.model);
      case 'take_line':
        return void this.#takeLine(message);
      default:
        return unreachable(message);
    }
  }

  async #takeLine({ nth, callId, model }: Extract<FromModelHost, { readonly kind: 'take_line' }>): Promise<void> {
    const isTaken = await this.#options.calls.takeLine(callId, model);
    this.post({ kind: 'line', nth, isTaken });
  }

  #pingLater(): void {
    this.#ping = this.#options.clock.after(PING_EVERY_MS, () => {
      if (this.#isOver) return;
      if (this.#options.clock.monotonicMs() - this.#heardAtMs > STUCK_AFTER_MS) {
        void this.#worker.terminate();
        return this.#end(new Error('the model thread was stuck'));
      }
      this.#askNow();
      this.#pingLater();
    });
  }

  #askNow(): void {
    this.#pings += 1;
    this.post({ kind: 'ping', nth: this.#pings });
  }

  #end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ping?.cancel();
    this.#port.close();
    this.#options.onEnd(error, this.#hasStarted);
  }
}

/** The file beside this one: the built one in production, the source in development and in tests. */
export const startModelWorker: StartWorker = (workerData) => {
  const options = { workerData, transferList: [workerData.port] };
  if (import.meta.url.endsWith('.js')) {
    return new Worker(new URL('./model-thread.js', import.meta.url), { ...options, execArgv: [] });
  }
  const entry = new URL('./thread-from-source.mjs', import.meta.url);
  return new Worker(entry, { ...options, execArgv: ['--conditions=@outdial/source'] });
};
