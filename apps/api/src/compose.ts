import { createHmac } from 'node:crypto';
import { createEndCall } from '@outdial/calls';
import type { KeyPepper } from '@outdial/secrets';
import { createUserAdministration } from '@outdial/identity/users';
import {
  createAdministration,
  createCredentialSource,
  createWebhookEndpoints,
  findCredentialNames,
  findSecretNames,
  findStoredKeys,
  isDatabaseAway,
  openOwnAccount,
  readRetention,
  replayDaysOf,
} from '@outdial/persistence';
import type { Expose } from '@outdial/metrics';
import { RecordingStoreUnavailable } from '@outdial/recordings';
import type { Express } from 'express';
import { createApp } from './app.ts';
import { composeDashboard } from './compose-dashboard.ts';
import { openDrivers, readPoolSizeOf, type DriverOptions } from './drivers.ts';
import { createSessionCheck } from './dashboard/access-checks.ts';
import { createSlowFigures } from './dashboard/operations/slow-figures.ts';
import { BUILT_DASHBOARD_DIR } from './dashboard/files/dashboard-files.ts';
import { keyAccessCheck } from './http/key-access.ts';
import { createAuthenticate, createKeyCheck } from './http/authenticate.ts';
import type { Route } from './http/define-route.ts';
import type { OwnAccountDeps } from './http/own-account.ts';
import type { MessageClasses } from './http/express-messages.ts';
import type { AccountPrincipal } from './http/principal.ts';
import { createAccountRateLimit } from './http/account-rate-limit.ts';
import { createCheckLimit } from './http/check-limit.ts';
import { createPositionSeal } from './http/position-seal.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createInstructionLimit } from './http/instruction-limit.ts';
import { createHeavyReads } from './http/heavy-reads.ts';
import { createUnknownCredentials } from './http/unknown-credentials.ts';
import type { UpgradeHandler } from './http/protocol-errors.ts';
import { createInFlightRequests } from './http/in-flight-requests.ts';
import { createOpenStreams } from './live/open-streams.ts';
import { createMonitorSockets } from './monitors/monitor-sockets.ts';
import { isTrySoundRequest } from './try-sound/try-sound-request.ts';
import { createTrySoundSockets } from './try-sound/try-sound-sockets.ts';
import { createReadinessCheck } from './routes/health/readiness.ts';
import { createListTools } from './routes/agents/list-tools.ts';
import { createCursorSeal } from './routes/list-calls/cursor.ts';
import { BUILT_SITE_DIR } from './site/site-files.ts';

export interface Api {
  readonly app: Express;
  readonly messages: MessageClasses;
  /** Takes over connections for WebSockets. */
  readonly upgrade: UpgradeHandler;
  readonly isStoreUnavailable: (error: unknown) => boolean;
  readonly routes: readonly Route[];
  /** The process's metrics in Prometheus text format. */
  readonly exposeMetrics: Expose;
  /** @throws EnvError if this configuration can never read the recordings. */
  prepare(): Promise<void>;
  /** Begins background work. Call once the public URL is known. */
  start(): void;
  /** From now on says that it ends, and closes each connection after its answer. */
  announceEnd(): void;
  /** From now on closes connections after their answer, and ends every stream. */
  drain(): void;
  /** Call once no request is in flight: flushes what is on its way to a store, then closes the stores. */
  close(): Promise<void>;
}

export interface ComposeOptions extends DriverOptions {
  /** The dashboard's public URL. Read at the first request, not before. */
  readonly publicUrl: () => string;
  /** Where this process itself answers. Read likewise. */
  readonly ownUrl: () => string;
}

/** Joins the drivers to the use cases and routes. */
export function compose(options: ComposeOptions): Api {
  const { config, logger } = options;
  const drivers = openDrivers(options);
  const { clock, metrics, redis, directory, reader, recordings, keyUsage, admission, live } = drivers;
  const inFlight = createInFlightRequests();
  const dashboard = composeDashboard({ ...options, drivers });
  const hasAccess = createAccessCheck(
    createKeyCheck({ clock, directory }),
    createSessionCheck(dashboard.deps.sessions),
  );
  const streams = createOpenStreams({
    clock,
    maxPerCaller: config.OUTDIAL_KEY_STREAMS,
    maxPerAccount: config.OUTDIAL_ACCOUNT_STREAMS,
    hasAccess,
  });
  let isEnding = false;
  const stopping = new AbortController();
  const rateLimit = createRateLimit({
    redis: redis.rateLimit,
    clock,
    requestsPerSecond: config.OUTDIAL_KEY_REQUESTS_PER_SECOND,
  });
  const accountRateLimit = createAccountRateLimit('keys', {
    redis: redis.rateLimit,
    clock,
    requestsPerSecond: config.OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND,
  });
  const authenticate = createAuthenticate({
    clock,
    directory,
    pepper: config.OUTDIAL_KEY_PEPPER,
    unknown: createUnknownCredentials({ clock, findStored: (digests) => findStoredKeys(drivers.database, digests) }),
    keyUsed: (keyId) => keyUsage.used(keyId),
  });

  const openOwn = (of: Parameters<OwnAccountDeps['openOwnAccount']>[0]) =>
    openOwnAccount(drivers.database, {
      ...of,
      onCommitted: drivers.publishChanges,
      onCampaignChanged: () => drivers.campaignSignals.publish(),
      bounds: {
        apiKeys: config.OUTDIAL_ACCOUNT_API_KEYS,
        agents: config.OUTDIAL_ACCOUNT_AGENTS,
        credentials: config.OUTDIAL_ACCOUNT_CREDENTIALS,
        secrets: config.OUTDIAL_ACCOUNT_SECRETS,
      },
    });
  const accessChecks = {
    api_key: keyAccessCheck({ authenticate, rateLimit, accountRateLimit }),
    ...dashboard.accessChecks,
  };
  const sockets = {
    clock,
    accessChecks,
    publicOrigin: () => new URL(options.publicUrl()).origin,
    streams,
    inFlight,
    stopping: stopping.signal,
  };
  const openMonitor = createMonitorSockets({
    ...sockets,
    logger,
    reader,
    openOwnAccount: openOwn,
    places: drivers.monitorPlaces,
    sound: drivers.callSound,
    metrics,
  });
  const openTrySound = createTrySoundSockets({
    ...sockets,
    store: drivers.tries.store,
    end: drivers.trySound,
    places: drivers.trySoundPlaces,
  });
  const upgrade: UpgradeHandler = (request, connection, head) =>
    (isTrySoundRequest(request) ? openTrySound : openMonitor)(request, connection, head);

  const { app, messages, routes } = createApp({
    ...dashboard.deps,
    ownUrl: options.ownUrl,
    clock,
    logger,
    accessChecks,
    trustedProxies: config.OUTDIAL_TRUSTED_PROXIES,
    traces: drivers.requestTraces,
    acceptCall: metrics.acceptCall(admission.acceptCall),
    endCall: createEndCall({ ...drivers, store: drivers.endStore }),
    instructions: drivers.instructions,
    instructionLimit: createInstructionLimit({ redis: redis.rateLimit, clock }),
    reader,
    exportCalls: drivers.exportCalls,
    modelDirectory: directory,
    readCandidates: drivers.readCandidates,
    heavyReads: createHeavyReads({
      clock,
      maxConcurrentPerAccount: config.OUTDIAL_ACCOUNT_READS,
      // One read connection stays free for quick reads.
      maxConcurrent: readPoolSizeOf(config) - 1,
    }),
    openAdministration: (actor) => createAdministration(drivers.database, { actor }),
    openSlowAdministration: (actor) => createAdministration(drivers.slowDatabase, { actor }),
    openUsers: (actor) => createUserAdministration(drivers.database, { actor }),
    secretKey: config.OUTDIAL_SECRET_KEY,
    systemReader: drivers.systemReader,
    operationsReader: drivers.operationsReader,
    slowFigures: createSlowFigures({ reader: drivers.operationsReader, clock, logger }),
    gate: drivers.gate,
    breakers: drivers.breakers,
    lineReader: drivers.lineReader,
    queue: drivers.queue,
    operationSignals: drivers.operationSignals,
    openOwnAccount: openOwn,
    findCredentialNames: (accountId) => findCredentialNames(drivers.database, accountId),
    findSecretNames: (accountId) => findSecretNames(drivers.database, accountId),
    pepper: config.OUTDIAL_KEY_PEPPER,
    hasAccess,
    streams,
    timelines: live.timelines,
    turns: live.turns,
    changes: live.changes,
    listeners: live.listeners,
    replayDays: async () => replayDaysOf(await readRetention(drivers.database)),
    recordings: recordings.store,
    cursors: createCursorSeal(cursorSecret(config.OUTDIAL_KEY_PEPPER, 'cursors')),
    credentialCursors: createPositionSeal(cursorSecret(config.OUTDIAL_KEY_PEPPER, 'credential cursors')),
    suppressionCursors: createPositionSeal(cursorSecret(config.OUTDIAL_KEY_PEPPER, 'suppression cursors')),
    campaignCursors: createPositionSeal(cursorSecret(config.OUTDIAL_KEY_PEPPER, 'campaign cursors')),
    planCampaign: drivers.planCampaign,
    contactDirectory: directory,
    transferDirectory: directory,
    deliveryCursors: createPositionSeal(cursorSecret(config.OUTDIAL_KEY_PEPPER, 'webhook delivery cursors')),
    openWebhooks: (of) => createWebhookEndpoints(drivers.database, { ...of, finish: live.finishHeard }),
    egress: drivers.egress,
    tries: drivers.tries,
    evaluations: drivers.evaluations,
    listTools: createListTools({
      clock,
      egress: drivers.egress,
      transferDirectory: directory,
      findCredentialNames: (accountId) => findCredentialNames(drivers.database, accountId),
      findSecretNames: (accountId) => findSecretNames(drivers.database, accountId),
      secretKey: config.OUTDIAL_SECRET_KEY,
      openSecrets: (accountId, names, secretKey) =>
        createCredentialSource(drivers.database, {
          secretKey,
          onUnreadable: (error) =>
            logger.error({ event: 'credential.unreadable', err: error }, 'a credential or secret cannot be opened'),
        }).openSecrets(accountId, names),
      toolFetch: drivers.toolStreams.fetch('allow_list'),
      listingLimit: createCheckLimit({
        redis: redis.rateLimit,
        clock,
        checksPerMinute: config.OUTDIAL_ACCOUNT_CHECKS_PER_MINUTE,
        of: 'tool_listings',
      }),
      stopping: stopping.signal,
    }),
    checkLimit: createCheckLimit({
      of: 'credential_checks',
      redis: redis.rateLimit,
      clock,
      checksPerMinute: config.OUTDIAL_ACCOUNT_CHECKS_PER_MINUTE,
    }),
    stopping: stopping.signal,
    checkReadiness: createReadinessCheck(drivers),
    dashboardDir: config.OUTDIAL_DASHBOARD_DIR ?? BUILT_DASHBOARD_DIR,
    siteDir: config.OUTDIAL_DOCS_DIR ?? BUILT_SITE_DIR,
    isStoreUnavailable,
    inFlight,
    onRefused: (code) => metrics.refused(code),
    isDraining: () => isEnding || stopping.signal.aborted,
  });

  return {
    app,
    messages,
    upgrade,
    isStoreUnavailable,
    routes,
    exposeMetrics: metrics.expose,
    async prepare() {
      // Without Postgres, the first sign-up stores it.
      await drivers.defaultPolicy.stored().catch(() => undefined);
      const check = await recordings.check();
      if (check.kind === 'away')
        logger.warn({ event: 'recording_store.away', err: check.error }, 'the recording store is away');
    },
    start: () => dashboard.start(),
    announceEnd() {
      isEnding = true;
    },
    drain() {
      stopping.abort();
      // A request that never completes would keep the process alive.
      streams.end();
    },
    async close() {
      // Close the users of a store before its connections.
      await Promise.all([inFlight.none(), live.stop()]);
      await Promise.all([admission.close(), keyUsage.flush(), dashboard.close()]);
      await Promise.all([
        drivers.queue.close(),
        drivers.tries.queue.close(),
        drivers.evaluations.queue.close(),
        drivers.egress.close(),
        drivers.toolStreams.close(),
      ]);
      drivers.outages.stop();
      redis.close();
      await Promise.all([
        drivers.database.close(),
        drivers.slowDatabase.close(),
        recordings.close(),
        options.traces?.close(),
      ]);
    },
  };
}

function isStoreUnavailable(error: unknown): boolean {
  return isDatabaseAway(error) || error instanceof RecordingStoreUnavailable;
}

/** Whether the caller that holds a stream open still has access. */
function createAccessCheck(
  isStillGood: ReturnType<typeof createKeyCheck>,
  isStillMember: ReturnType<typeof createSessionCheck>,
) {
  return ({ account, caller }: AccountPrincipal): Promise<boolean> => {
    switch (caller.kind) {
      case 'api_key':
        return isStillGood(caller.key);
      case 'session':
        return isStillMember(caller.session, account);
      default:
        return caller satisfies never;
    }
  };
}

/**
 * Derives each purpose's key from the one configured secret, so that a value made for one purpose is not valid for
 * another.
 */
function cursorSecret(
  pepper: KeyPepper,
  purpose: 'cursors' | 'credential cursors' | 'suppression cursors' | 'campaign cursors' | 'webhook delivery cursors',
): Buffer {
  return createHmac('sha256', pepper).update(purpose).digest();
}
