/**
 * The thread that talks to the providers of models: their connections, their JSON, the tools and the usage of all calls.
 * It may be late; no packet depends on it, but the callee waits for each answer.
 */
import { workerData } from 'node:worker_threads';
import { createEgressClient, createEgressFetch, createEgressSockets, envEgressAllow } from '@outdial/egress';
import { createLogger, raiseThreadPriority, systemClock } from '@outdial/kernel';
import {
  createAccountBoundRunner,
  createHttpToolRunner,
  createMcpToolRunner,
  createRunnerByType,
  createSockets,
  WHILE_RINGING_MS,
} from '@outdial/minds';
import { modelThreadInputSchema } from './input.ts';
import type { FromModelHost } from './messages.ts';
import { hostModels } from './model-host.ts';
import { loggedSockets } from './model-log.ts';
import { createMinds } from './open-mind.ts';

/** Behind the sound, and ahead of work that no callee waits for. */
const NICENESS = -5;
/** Of one provider: an answer that waits for a connection is late. */
const MAX_ANSWERS_AT_ONCE = 512;
/** With 16 KB of each answer over HTTP, or 256 KB of an MCP server's, an account takes at most 8 MB. */
const MAX_TOOLS_OF_ACCOUNT = 32;
const isRaised = raiseThreadPriority(NICENESS);
const { port, egressAllow, egressProxy, logLevel, modelLog } = modelThreadInputSchema.parse(workerData);
const logger = createLogger({ name: 'models', level: logLevel });
const clock = systemClock;
const limits = {
  allowed: envEgressAllow.parse(egressAllow),
  proxy: egressProxy === null ? null : new URL(egressProxy),
};
const egress = createEgressClient(limits);
// A mind gives up a connection when its own limit is over, which ringing may stretch.
const patient = { ...limits, connectTimeoutMs: WHILE_RINGING_MS };
const streams = createEgressFetch({ ...patient, maxConnectionsPerOrigin: MAX_ANSWERS_AT_ONCE });
const sockets = createEgressSockets(patient);
// Their own connections: a server of tools that hangs keeps no model waiting.
const toolStreams = createEgressFetch(limits);

hostModels({
  port,
  openMind: createMinds({
    openSocket: (scope) =>
      loggedSockets(
        modelLog === 'off' ? null : logger,
        createSockets({ clock, egress: sockets, scope, upgradeTimeoutMs: WHILE_RINGING_MS }),
      ),
    fetch: (scope) => streams.fetch(scope),
    clock,
  }),
  tools: createAccountBoundRunner({
    runner: createRunnerByType({
      http: createHttpToolRunner(egress),
      mcp: createMcpToolRunner({ fetch: toolStreams.fetch('allow_list'), clock }),
    }),
    maxOfAccount: MAX_TOOLS_OF_ACCOUNT,
    clock,
  }),
  clock,
  logger,
});
port.on('close', () => void Promise.all([egress.close(), streams.close(), toolStreams.close()]));
logger.debug({ event: 'model_thread.started', isRaised }, 'the model thread is running');
port.postMessage({ kind: 'ready' } satisfies FromModelHost, []);
