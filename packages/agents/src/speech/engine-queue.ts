import type { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '@outdial/kernel';
import type { EngineReply, EngineRequest } from './engine-protocol.ts';
import { SpeechError } from './speech-error.ts';

export interface EngineQueue {
  /** Speaks the text after all earlier ones. Rejects with a SpeechError. */
  speak(request: EngineRequest): Promise<Int16Array>;
  /** Rejects pending requests and stops the thread. Idempotent. */
  close(): Promise<void>;
}

interface Job {
  readonly request: EngineRequest;
  readonly resolve: (samples: Int16Array) => void;
  readonly reject: (error: SpeechError) => void;
}

/**
 * A queue in front of one engine thread. The thread gets one text at a time, so that a crash or a timeout fails only that
 * text; a new thread speaks the next one. The first thread starts at once, because loading the engine takes longer than
 * most texts. An idle thread does not keep the process alive.
 */
export function createEngineQueue(options: {
  readonly startThread: () => Worker;
  readonly clock: Clock;
  readonly timeoutMs: number;
}): EngineQueue {
  const waiting: Job[] = [];
  let thread: Worker | undefined;
  let current: { readonly job: Job; readonly timer: Timer } | undefined;
  let closed = false;

  function start(): Worker {
    const started = options.startThread();
    // An abandoned thread may still report: only events of the current one count.
    const ifCurrent = (act: () => void) => {
      if (thread === started) act();
    };
    started.on('message', (reply: EngineReply) => ifCurrent(() => answer(reply)));
    started.on('error', (error) => ifCurrent(() => lose(`the speech engine failed: ${messageOf(error)}`, error)));
    started.on('exit', (code) => ifCurrent(() => lose(`the speech engine ended unexpectedly with code ${code}`)));
    return started;
  }

  function next(): void {
    if (current !== undefined || closed) return;
    const job = waiting.shift();
    if (job === undefined) {
      thread?.unref();
      return;
    }
    current = { job, timer: options.clock.after(options.timeoutMs, timeOut) };
    try {
      thread ??= start();
      thread.ref();
      thread.postMessage(job.request, []);
    } catch (error) {
      lose(`the speech engine could not be started: ${messageOf(error)}`, error);
    }
  }

  function take(): Job | undefined {
    const job = current?.job;
    current?.timer.cancel();
    current = undefined;
    return job;
  }

  function answer(reply: EngineReply): void {
    const job = take();
    if (reply.kind === 'spoken') job?.resolve(reply.samples);
    else job?.reject(new SpeechError('engine_failed', `the speech engine rejected the text: ${reply.message}`));
    next();
  }

  function lose(message: string, cause?: unknown): void {
    void abandonThread();
    take()?.reject(new SpeechError('engine_failed', message, { cause }));
    next();
  }

  function timeOut(): void {
    void abandonThread();
    take()?.reject(
      new SpeechError('timed_out', `the speech engine took longer than ${options.timeoutMs} ms for a text`),
    );
    next();
  }

  function abandonThread(): Promise<unknown> {
    const abandoned = thread;
    thread = undefined;
    return abandoned?.terminate() ?? Promise.resolve();
  }

  try {
    thread = start();
    thread.unref();
  } catch {
    // The first text tries again and reports the error.
  }

  return {
    speak(request) {
      if (closed) return Promise.reject(closedError());
      return new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject });
        next();
      });
    },
    async close() {
      closed = true;
      take()?.reject(closedError());
      for (const job of waiting.splice(0)) job.reject(closedError());
      await abandonThread();
    },
  };
}

const closedError = () => new SpeechError('closed', 'the speech synthesizer was closed');
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
