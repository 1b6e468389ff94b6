import type { MessagePort } from 'node:worker_threads';
import type { FromMind, FromModelThread, ToMind, ToModelThread } from '@outdial/agents';
import type { CallId } from '@outdial/contracts';
import { unreachable, type Clock, type Logger } from '@outdial/kernel';
import type { ToolRunner } from '@outdial/minds';
import { ConductedMind } from './conducted-mind.ts';
import { LinesOfCalls } from './lines-of-calls.ts';
import type { CallToOpen, FromModelHost, ToModelHost } from './messages.ts';
import type { OpenMind } from './open-mind.ts';

export interface ModelHostOptions {
  /** To the main thread; the host ends when it closes. */
  readonly port: MessagePort;
  readonly openMind: OpenMind;
  readonly tools: ToolRunner;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface HostedMind {
  mind: ConductedMind | null;
  /** Opened once its agent is attached. */
  waits: CallToOpen | null;
  bridge: MessagePort | null;
  /** Asked before the main thread had opened the call, or reported before the agent was there. */
  readonly asked: ToMind[];
  readonly reported: FromMind[];
}

/** Holds the minds of all calls of a process, in a thread whose delays no sound depends on. */
export function hostModels(options: ModelHostOptions): { readonly close: () => void } {
  const host = new ModelHost(options);
  return { close: () => host.close() };
}

class ModelHost {
  readonly #options: ModelHostOptions;
  readonly #calls = new Map<CallId, HostedMind>();
  readonly #bridges = new Set<MessagePort>();
  readonly #lines: LinesOfCalls;

  constructor(options: ModelHostOptions) {
    this.#options = options;
    this.#lines = new LinesOfCalls(options.clock, (message) => options.port.postMessage(message, []));
    options.port.on('message', (message: ToModelHost) => this.#onMain(message));
    options.port.on('close', () => this.close());
  }

  close(): void {
    for (const { mind } of this.#calls.values()) mind?.close();
    this.#calls.clear();
    for (const bridge of this.#bridges) bridge.close();
    this.#options.port.close();
  }

  #onMain(message: ToModelHost): void {
    switch (message.kind) {
      case 'open':
        return this.#onOpen(message.call, message.onceAttached);
      case 'refuse': {
        const { callId, failure, reason } = message;
        return this.#report(callId, { kind: 'failed', component: null, failure, reason });
      }
      case 'forget':
        this.#calls.get(message.callId)?.mind?.close();
        this.#calls.delete(message.callId);
        return;
      case 'bridge':
        return this.#useBridge(message.port);
      case 'line':
        return this.#lines.answered(message.nth, message.isTaken);
      case 'ping':
        return this.#options.port.postMessage({ kind: 'pong', nth: message.nth } satisfies FromModelHost, []);
      default:
        return unreachable(message);
    }
  }

  #onOpen(call: CallToOpen, onceAttached: boolean): void {
    const hosted = this.#hostedOf(call.callId);
    if (onceAttached && hosted.bridge === null) hosted.waits = call;
    else this.#open(call);
  }

  #open(call: CallToOpen): void {
    const { openMind, tools, clock, logger } = this.#options;
    const hosted = this.#hostedOf(call.callId);
    const post = (message: FromMind) => this.#report(call.callId, message);
    try {
      hosted.mind = new ConductedMind({
        call,
        openMind,
        uses: this.#lines.of(call.callId),
        tools,
        clock,
        logger: logger.child({ callId: call.callId }),
        post,
      });
    } catch (error) {
      logger.warn({ event: 'mind.not_opened', err: error }, 'a mind could not be opened');
      return post({
        kind: 'failed',
        component: null,
        failure: 'not_opened',
        reason: 'provider_rejected',
      });
    }
    for (const message of hosted.asked.splice(0)) hosted.mind.receive(message);
  }

  #useBridge(bridge: MessagePort): void {
    this.#bridges.add(bridge);
    bridge.on('message', (message: ToModelThread) => this.#onAgent(bridge, message));
    bridge.on('close', () => {
      this.#bridges.delete(bridge);
      for (const [callId, hosted] of this.#calls) {
        if (hosted.bridge !== bridge) continue;
        hosted.mind?.close();
        this.#calls.delete(callId);
      }
    });
  }

  #onAgent(bridge: MessagePort, message: ToModelThread): void {
    switch (message.kind) {
      case 'ping':
        return bridge.postMessage({ kind: 'pong', nth: message.nth } satisfies FromModelThread, []);
      case 'attach': {
        const hosted = this.#hostedOf(message.callId);
        hosted.bridge = bridge;
        if (hosted.waits !== null) this.#open(hosted.waits);
        hosted.waits = null;
        for (const reported of hosted.reported.splice(0)) this.#report(message.callId, reported);
        return;
      }
      case 'call': {
        const hosted = this.#calls.get(message.callId);
        if (hosted?.mind) return hosted.mind.receive(message.message);
        if (hosted === undefined || message.message.kind === 'close') {
          this.#calls.delete(message.callId);
          return bridge.postMessage(
            {
              kind: 'call',
              callId: message.callId,
              message: { kind: 'closed' },
            } satisfies FromModelThread,
            [],
          );
        }
        hosted.asked.push(message.message);
        return;
      }
      default:
        return unreachable(message);
    }
  }

  #report(callId: CallId, message: FromMind): void {
    const hosted = this.#hostedOf(callId);
    if (hosted.bridge === null) return void hosted.reported.push(message);
    const transfer = message.kind === 'sound' ? [message.ulaw.buffer] : [];
    hosted.bridge.postMessage({ kind: 'call', callId, message } satisfies FromModelThread, transfer);
    if (message.kind === 'closed') this.#calls.delete(callId);
  }

  #hostedOf(callId: CallId): HostedMind {
    const known = this.#calls.get(callId);
    if (known !== undefined) return known;
    const hosted: HostedMind = { mind: null, waits: null, bridge: null, asked: [], reported: [] };
    this.#calls.set(callId, hosted);
    return hosted;
  }
}
