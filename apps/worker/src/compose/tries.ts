import { createSpeechSynthesizer } from '@outdial/agents';
import { createChatCompletions, type ProviderAccess } from '@outdial/analysis';
import { callIdSchema, EVALUATION_QUEUE } from '@outdial/contracts';
import { createEgressClient, createEgressFetch, createEgressSockets, type EgressScope } from '@outdial/egress';
import type { Clock, Logger } from '@outdial/kernel';
import {
  createAccountBoundRunner,
  createHttpToolRunner,
  createMcpToolRunner,
  createRunnerByType,
  createSockets,
} from '@outdial/minds';
import {
  createEvaluationStore,
  createLineStore,
  createReconcileStore,
  createTryStore,
  type Database,
} from '@outdial/persistence';
import { createAgentEnd, createCallQueue, createTryChannel } from '@outdial/queue';
import { createFundsGate, createGate, createLineGate } from '@outdial/reservations';
import { createMediaClock } from '@outdial/telephony';
import { startEvaluations } from '../consumers/run-evaluations.ts';
import { startTries } from '../consumers/run-tries.ts';
import { createModelPersonas } from '../evaluations/model-persona.ts';
import { EVALUATION_TIMINGS, type EvaluationDeps } from '../evaluations/ports.ts';
import { sweepEvaluations } from '../evaluations/run-evaluation.ts';
import { startLoop, type Loop } from '../loops/loop.ts';
import { createMinds } from '../model-thread/open-mind.ts';
import type { WorkerConfig } from '../settings/config.ts';
import type { RedisConnections } from '../stores/redis-connections.ts';
import { createTextMinds } from '../tries/open-text-mind.ts';
import { TRY_TIMINGS, type TryDeps } from '../tries/ports.ts';
import { endOverdueTries } from '../tries/run-try.ts';

export interface TriesOptions {
  readonly config: Pick<WorkerConfig, 'OUTDIAL_EGRESS_ALLOW' | 'OUTDIAL_EGRESS_PROXY'>;
  readonly database: Database;
  readonly redis: Pick<RedisConnections, 'commands' | 'consumer' | 'sound' | 'microphones'>;
  readonly providers: ProviderAccess;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Conversations with agents without a telephone: of people, in text or by microphone, and of simulated callees in text. */
export interface WorkerTries {
  startLoops(): readonly Loop[];
  close(): Promise<void>;
}

/** Of one provider, in this process. */
const MAX_ANSWERS_AT_ONCE = 32;
const MAX_TOOLS_OF_ACCOUNT = 32;
const SWEEP_EVERY_MS = 5_000;

export function composeTries({ config, database, redis, providers, clock, logger }: TriesOptions): WorkerTries {
  const limits = { allowed: config.OUTDIAL_EGRESS_ALLOW, proxy: config.OUTDIAL_EGRESS_PROXY ?? null };
  const egress = createEgressClient({ ...limits, clock });
  const streams = createEgressFetch({ ...limits, maxConnectionsPerOrigin: MAX_ANSWERS_AT_ONCE });
  const toolStreams = createEgressFetch(limits);
  const sockets = createEgressSockets(limits);
  const connections = {
    openSocket: (scope: EgressScope) => createSockets({ clock, egress: sockets, scope }),
    fetch: (scope: EgressScope) => streams.fetch(scope),
    clock,
  };
  const speech = createSpeechSynthesizer({ clock });
  const mediaClock = createMediaClock({
    clock,
    onError: (error) => logger.warn({ event: 'media_clock.failed', err: error }, 'the media clock failed'),
  });
  const deps: TryDeps = {
    store: createTryStore(database),
    channel: createTryChannel({ redis: redis.commands }),
    gate: createGate({ redis: redis.commands }),
    funds: createFundsGate({ redis: redis.commands }),
    limits: createReconcileStore(database),
    lineGate: createLineGate({ redis: redis.commands }),
    lineStore: createLineStore(database),
    opener: providers.opener,
    openMind: createTextMinds(connections),
    tools: createAccountBoundRunner({
      runner: createRunnerByType({
        http: createHttpToolRunner(egress),
        mcp: createMcpToolRunner({ fetch: toolStreams.fetch('allow_list'), clock }),
      }),
      maxOfAccount: MAX_TOOLS_OF_ACCOUNT,
      clock,
    }),
    sound: {
      end: createAgentEnd({ sender: redis.sound, receiver: redis.microphones }),
      openMind: createMinds(connections),
      mediaClock,
      speech,
    },
    clock,
    logger,
    timings: TRY_TIMINGS,
  };
  const queue = createCallQueue({ redis: redis.commands, logger, name: EVALUATION_QUEUE });
  const evaluations: EvaluationDeps = {
    ...deps,
    evaluations: createEvaluationStore(database),
    queue: { add: (runs) => queue.add(runs.map((runId) => callIdSchema.parse(runId))) },
    openModelPersona: createModelPersonas(connections),
    openJudge: createChatCompletions(egress),
    pace: EVALUATION_TIMINGS,
  };
  return {
    startLoops: () => [
      startTries({ ...deps, redis: redis.consumer }),
      startEvaluations({ ...evaluations, redis: redis.consumer }),
      startLoop({
        name: 'sweep evaluations',
        intervalMs: SWEEP_EVERY_MS,
        round: () => sweepEvaluations(evaluations),
        clock,
        logger,
        random: Math.random,
      }),
      startLoop({
        name: 'end overdue tries',
        intervalMs: SWEEP_EVERY_MS,
        round: () => endOverdueTries(deps),
        clock,
        logger,
        random: Math.random,
      }),
    ],
    async close() {
      await Promise.all([queue.close(), speech.close(), egress.close(), streams.close(), toolStreams.close()]);
    },
  };
}
