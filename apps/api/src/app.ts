import type { AcceptCallOutcome, AcceptCallRequest, CallReader, EndCallOutcome, RecordingStore } from '@outdial/calls';
import type { AccountId, CallId } from '@outdial/contracts';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { dashboardFiles } from './dashboard/files/dashboard-files.ts';
import { createQueueBoard, QUEUE_BOARD_PATH } from './dashboard/operations/queue-board.ts';
import { dashboardRoutes, type DashboardDeps } from './dashboard/routes.ts';
import type { AccountRoute, Route } from './http/define-route.ts';
import type { Method } from './http/route-request.ts';
import { expressMessages, type MessageClasses } from './http/express-messages.ts';
import { ApiError, invalidRequest, nothingHere } from './http/api-error.ts';
import { createServe, type OpenHandler, type Serve, type ServeDeps } from './http/serve.ts';
import type { OpenStreams } from './live/open-streams.ts';
import { isMonitorRequest } from './monitors/monitor-request.ts';
import { isTrySoundRequest } from './try-sound/try-sound-request.ts';
import { describeApi } from './reference/document.ts';
import { referenceFiles } from './reference/files.ts';
import { getAgentVersionRoute, listAgentVersionsRoute } from './routes/agents/agent-versions.ts';
import { createAgentRoute, type SaveAgentDeps } from './routes/agents/create-agent.ts';
import { getAgentRoute } from './routes/agents/get-agent.ts';
import { listAgentsRoute } from './routes/agents/list-agents.ts';
import { updateAgentRoute } from './routes/agents/update-agent.ts';
import {
  createApiKeyRoute,
  listApiKeysRoute,
  revokeApiKeyRoute,
  type CreateApiKeyDeps,
} from './routes/api-keys/handlers.ts';
import { checkCredentialRoute, type CheckCredentialDeps } from './routes/credentials/check-credential.ts';
import {
  createCredentialRoute,
  deleteCredentialRoute,
  listCredentialsRoute,
  rotateCredentialRoute,
  updateCredentialRoute,
} from './routes/credentials/handlers.ts';
import { createCallRoute, type CreateCallDeps } from './routes/create-call/handler.ts';
import { endCallRoute } from './routes/end-call/handler.ts';
import { getAccountRoute } from './routes/get-account/handler.ts';
import { getCallRoute } from './routes/get-call/handler.ts';
import { instructCallRoute, type InstructCallDeps } from './routes/instruct-call/handler.ts';
import { getRecordingRoute } from './routes/get-recording/handler.ts';
import { answerHealth, createReadinessAnswer, type Readiness } from './routes/health/handler.ts';
import type { CursorSeal } from './routes/list-calls/cursor.ts';
import { listCallsRoute } from './routes/list-calls/handler.ts';
import { listEventsRoute, type ListEventsDeps } from './routes/list-events/handler.ts';
import { listLedgerRoute } from './routes/list-ledger/handler.ts';
import { listModelsRoute, type ListModelsDeps } from './routes/list-models/handler.ts';
import { listPhoneNumbersRoute } from './routes/list-phone-numbers/handler.ts';
import { mcpRoute, type McpDeps } from './routes/mcp/route.ts';
import { deleteSecretRoute, listSecretsRoute, setSecretRoute } from './routes/secrets/handlers.ts';
import { evaluationRoutes, type EvaluationDeps } from './routes/evaluations/routes.ts';
import { createTryRoute, type CreateTryDeps } from './routes/tries/create-try.ts';
import { followTryRoute, type FollowTryDeps } from './routes/tries/follow-try.ts';
import { endTryRoute, getTryRoute, sendTryMessageRoute, type TalkDeps } from './routes/tries/talk.ts';
import { optOutCallRoute } from './routes/opt-out-call/handler.ts';
import type { CallingPolicyDeps } from './routes/calling-policy/handlers.ts';
import { callingPolicyRoutes } from './routes/calling-policy/routes.ts';
import type { ImportSuppressionsDeps } from './routes/suppressions/import.ts';
import { suppressionRoutes } from './routes/suppressions/routes.ts';
import { campaignRoutes, type CampaignRoutesDeps } from './routes/campaigns/routes.ts';
import { updateCallRoute } from './routes/update-call/handler.ts';
import { createPerCallEndpoints } from './routes/webhooks/per-call-endpoints.ts';
import type { ListenerDeps } from './routes/webhooks/listeners.ts';
import { webhookRoutes } from './routes/webhooks/routes.ts';
import type { WebhookDeps } from './routes/webhooks/webhook-deps.ts';
import { MODEL_PATHS, siteFiles } from './site/site-files.ts';

export interface AppDeps
  extends
    ServeDeps,
    DashboardDeps,
    SaveAgentDeps,
    CheckCredentialDeps,
    CreateApiKeyDeps,
    WebhookDeps,
    ImportSuppressionsDeps,
    CallingPolicyDeps,
    Omit<CampaignRoutesDeps, 'ensurePerCallEndpoint'>,
    ListModelsDeps,
    Pick<CreateCallDeps, 'traces'>,
    Pick<ListenerDeps, 'listeners'>,
    McpDeps,
    Pick<InstructCallDeps, 'instructions' | 'instructionLimit'>,
    Pick<ListEventsDeps, 'timelines' | 'turns'> {
  readonly streams: OpenStreams;
  readonly egress: CheckCredentialDeps['egress'];
  /** Conversations with agents in text. */
  readonly tries: CreateTryDeps['tries'] & FollowTryDeps['tries'] & TalkDeps['tries'];
  /** Conversations of agents with simulated callees. */
  readonly evaluations: EvaluationDeps['evaluations'];
  readonly acceptCall: (request: AcceptCallRequest) => Promise<AcceptCallOutcome>;
  readonly endCall: (input: { readonly accountId: AccountId; readonly callId: CallId }) => Promise<EndCallOutcome>;
  readonly reader: CallReader;
  readonly recordings: Pick<RecordingStore, 'open'>;
  readonly cursors: CursorSeal;
  readonly checkReadiness: () => Promise<Readiness>;
  /** The proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  /** The folder of the built dashboard. It may be missing. */
  readonly dashboardDir: string;
  /** The folder of the built documentation, which may be absent. */
  readonly siteDir: string;
}

export interface App {
  readonly app: Express;
  /** How the server builds its requests and responses. */
  readonly messages: MessageClasses;
  /** The routes that need an API key or belong to the dashboard. */
  readonly routes: readonly Route[];
}

/** The HTTP interface. Express finds the route; `serve` does the rest. */
export function createApp(deps: AppDeps): App {
  const app = express();
  const messages = expressMessages(app, (request) => isMonitorRequest(request) || isTrySoundRequest(request));
  app.disable('x-powered-by');
  app.set('trust proxy', deps.trustedProxies);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const serve = createServe(deps);
  const publicRoutes = createPublicRoutes(deps);
  const routes: readonly Route[] = [...publicRoutes, mcpRoute(deps), ...dashboardRoutes(publicRoutes, deps)];
  const site = siteFiles(deps.siteDir);
  const open: Readonly<Record<string, OpenHandler>> = {
    '/healthz': answerHealth,
    '/readyz': createReadinessAnswer(deps),
    ...referenceFiles(() => describeApi(publicRoutes.map(({ contract }) => contract))),
    '/docs': site,
    '/docs/{*path}': site,
    ...Object.fromEntries(MODEL_PATHS.map((path) => [path, site])),
  };
  serveRoutes(app, serve, routes);
  serveOpen(app, serve, open);
  showQueue(app, serve, deps);
  app.get('/{*path}', serve.open('the dashboard', dashboardFiles(deps.dashboardDir)));
  app.use(serve.refuse(nothingHere()));
  app.use(refuseBadPath(serve));
  return { app, messages, routes };
}

function createPublicRoutes(deps: AppDeps): readonly AccountRoute[] {
  const ensurePerCallEndpoint = createPerCallEndpoints(deps);
  return [
    createCallRoute({ ...deps, ensurePerCallEndpoint }),
    getCallRoute(deps),
    listCallsRoute(deps),
    endCallRoute(deps),
    updateCallRoute(deps),
    instructCallRoute(deps),
    optOutCallRoute(deps),
    listEventsRoute(deps),
    getRecordingRoute(deps),
    ...campaignRoutes({ ...deps, ensurePerCallEndpoint }),
    ...suppressionRoutes(deps),
    listAgentsRoute(deps),
    createAgentRoute(deps),
    getAgentRoute(deps),
    updateAgentRoute(deps),
    listAgentVersionsRoute(deps),
    getAgentVersionRoute(deps),
    listModelsRoute(deps),
    createTryRoute(deps),
    getTryRoute(deps),
    sendTryMessageRoute(deps),
    endTryRoute(deps),
    followTryRoute(deps),
    ...evaluationRoutes(deps),
    getAccountRoute(deps),
    ...callingPolicyRoutes(deps),
    listLedgerRoute(deps),
    listPhoneNumbersRoute(deps),
    listApiKeysRoute(deps),
    createApiKeyRoute(deps),
    revokeApiKeyRoute(deps),
    createCredentialRoute(deps),
    listCredentialsRoute(deps),
    updateCredentialRoute(deps),
    rotateCredentialRoute(deps),
    deleteCredentialRoute(deps),
    checkCredentialRoute(deps),
    listSecretsRoute(deps),
    setSecretRoute(deps),
    deleteSecretRoute(deps),
    ...webhookRoutes(deps),
  ];
}

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'put', DELETE: 'delete' } as const satisfies Readonly<
  Record<Method, string>
>;

function methodOf(route: Route): (typeof METHODS)[Method] {
  return METHODS[route.contract.method];
}

/** Each path with all its methods, and a refusal of the others. */
function serveRoutes(app: Express, serve: Serve, routes: readonly Route[]): void {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) byPath.set(route.contract.path, [...(byPath.get(route.contract.path) ?? []), route]);
  const paths = [...byPath].toSorted(([a], [b]) => generalityOf(a).localeCompare(generalityOf(b)));
  for (const [path, ofPath] of paths) {
    for (const route of ofPath) app[methodOf(route)](path, serve.route(route));
    const methods: string[] = ofPath.map(({ contract }) => contract.method);
    // Express answers HEAD with the route of GET.
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    // `app.all` would add one handler for each of Node's 35 methods, and compile a pattern for each.
    app.route(path).all(serve.refuse(methodNotAllowed(allowed.toSorted().join(', '))));
  }
}

/** In parts. */
const LONGEST_PATH = 20;

/**
 * Sorts a path that names a word before one with a parameter there, which would match it: `/x/check` before `/x/:id`. Others keep
 * their order: the router tries one after the other, and the path that most requests have comes first.
 */
function generalityOf(path: string): string {
  return path
    .split('/')
    .map((part) => (part.startsWith(':') ? '1' : '0'))
    .join('')
    .padEnd(LONGEST_PATH, '0');
}

function serveOpen(app: Express, serve: Serve, open: Readonly<Record<string, OpenHandler>>): void {
  for (const [path, answer] of Object.entries(open)) {
    app.get(path, serve.open(path, answer));
    app.route(path).all(serve.refuse(methodNotAllowed('GET, HEAD')));
  }
}

/** A read-only view for operators: every method that could change something is rejected first. */
function showQueue(app: Express, serve: Serve, { queue }: Pick<AppDeps, 'queue'>): void {
  const refuse = serve.refuse(methodNotAllowed('GET, HEAD'));
  const onlyReads: RequestHandler = (request, response, next) =>
    request.method === 'GET' || request.method === 'HEAD' ? next() : refuse(request, response, next);
  app.use(QUEUE_BOARD_PATH, serve.guard('operator', QUEUE_BOARD_PATH), onlyReads, createQueueBoard(queue));
}

function methodNotAllowed(allow: string): ApiError {
  return new ApiError({
    code: 'method_not_allowed',
    publicMessage: `This path does not support that method. Use one of: ${allow}.`,
    headers: { Allow: allow },
  });
}

/** Errors that Express itself throws, above all for a path that it cannot decode (`%ZZ`) before it finds a route. */
function refuseBadPath(serve: Serve): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const isBadPath = error instanceof URIError;
    const badPath = { param: 'path', message: 'must be valid percent-encoding' };
    return serve.refuse(isBadPath ? invalidRequest([badPath]) : error)(request, response, next);
  };
}
