import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { createMindLink, createModelAgents, type MindLink, type PortMindLink } from '@outdial/agents';
import { FRAME_MS, FRAME_SAMPLES, type Frame, type SpeechSynthesizer, type VoiceAgentEvent } from '@outdial/calls';
import { accountIdSchema, agentSettingsSchema, callIdSchema } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import type { OpenedModel } from '../../src/model-thread/messages.ts';
import type { StartWorker } from '../../src/model-thread/running-thread.ts';
import {
  createModelThread,
  type ModelThread,
  type ModelThreadOptions,
} from '../../src/model-thread/start-model-thread.ts';

/** Frames pass this many times faster than life, so that the threads still have time to answer. */
const SPEED = 5;
const FRAMES_A_TURN = 5;
const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);

export interface ModelStage {
  readonly link: PortMindLink;
  readonly thread: ModelThread;
  readonly close: () => Promise<void>;
}

/** A real model thread, and the bridge to it. Starting one costs seconds: tests share it. */
export function openModelStage({
  startWorker,
  ...calls
}: Partial<ModelThreadOptions['calls']> & { readonly startWorker?: StartWorker } = {}): ModelStage {
  const link = createMindLink({ clock: systemClock });
  const thread = createModelThread({
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    onBridge: (bridge, onSilent) => link.use(bridge, onSilent),
    calls: { used: () => undefined, nearLimit: () => undefined, takeLine: async () => true, ...calls },
    egressAllow: '127.0.0.1',
    egressProxy: null,
    logLevel: 'silent',
    modelLog: 'off',
    ...(startWorker === undefined ? {} : { startWorker }),
  });
  return {
    link,
    thread,
    async close() {
      link.close();
      await thread.close();
    },
  };
}

/** An answered call: the test is its callee and its clock; mind, thread and provider are real. */
export async function openConductedCall(
  { link, thread }: ModelStage,
  input: { readonly models: readonly OpenedModel[]; readonly settings: object; readonly speech: SpeechSynthesizer },
) {
  const settings = agentSettingsSchema.parse(input.settings);
  if (settings.driver === 'scripted') throw new Error('not conducted');
  const callId = callIdSchema.parse(randomUUID());
  let itemsOver = 0;
  const preparing = new EventEmitter();
  const prepared = once(preparing, 'over');
  const ready = once(preparing, 'ready');
  const watched: MindLink = {
    attach: (id, listener) =>
      link.attach(id, (event) => {
        if (event.kind === 'item_over') itemsOver += 1;
        if (event.kind === 'ready') preparing.emit('ready');
        if (event.kind === 'item_over' || event.kind === 'failed') preparing.emit('over');
        listener(event);
      }),
  };
  const agents = createModelAgents({ speech: input.speech, link: watched, clock: systemClock });
  const agent = await agents.prepare({ callId, settings, variables: { name: 'Anna' } });
  const events: VoiceAgentEvent[] = [];
  agent.listen((event) => events.push(event));
  thread.openCall({
    callId,
    accountId: accountIdSchema.parse(randomUUID()),
    settings,
    variables: { name: 'Anna' },
    models: input.models,
    secrets: new Map(),
  });
  // As while the far end rings. A provider that bills by time is connected afterwards.
  const isBilledByTime = settings.driver === 'realtime' && ['xai', 'openai_live'].includes(settings.model.provider);
  if (!isBilledByTime) await prepared;
  let frames = 0;
  let speaks = false;

  async function tick(heard: Frame): Promise<void> {
    agent.hear(heard);
    speaks = agent.speak() !== undefined;
    frames += 1;
    if (frames % FRAMES_A_TURN === 0) await setTimeout((FRAMES_A_TURN * FRAME_MS) / SPEED);
  }

  const agentTurns = (): number =>
    events.filter((event) => event.kind === 'turn' && event.turn.role === 'agent').length;
  const call = {
    callId,
    agent,
    events,
    /** The provider is connected: what the callee says from now on reaches it at once. No time of the call passes. */
    connected: () => ready,
    /** Answers whose sound has arrived. */
    itemsOver: () => itemsOver,
    nowMs: () => frames * FRAME_MS,
    agentSpeaks: () => speaks,
    hungUp: () => events.find((event) => event.kind === 'hang_up')?.reason,
    async say(sound: Int16Array): Promise<void> {
      for (let at = 0; at < sound.length; at += FRAME_SAMPLES) {
        const frame = new Int16Array(FRAME_SAMPLES);
        frame.set(sound.subarray(at, at + FRAME_SAMPLES));
        await tick(frame);
      }
    },
    /** The callee is silent until then. */
    async waitUntil(condition: () => boolean, withinMs = 120_000): Promise<void> {
      for (const endMs = call.nowMs() + withinMs; !condition();) {
        if (call.nowMs() >= endMs) throw new Error(`did not happen within ${withinMs} ms`);
        await tick(SILENCE);
      }
    },
    /**
     * Silent until the agent has said a turn to its end and then been silent for 400 ms. Life runs faster than the provider
     * here, so a shorter silence within an answer may be a sound that is late.
     */
    async hearOut(): Promise<void> {
      await call.waitUntil(() => speaks);
      const before = agentTurns();
      let silentMs = 0;
      await call.waitUntil(() => {
        silentMs = speaks ? 0 : silentMs + FRAME_MS;
        return silentMs >= (agentTurns() > before ? 400 : 10_000);
      });
    },
  };
  return call;
}
