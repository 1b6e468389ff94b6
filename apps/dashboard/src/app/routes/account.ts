import { createRoute, notFound, redirect } from '@tanstack/react-router';
import { newAgentSearchSchema } from '../../features/agents/search.ts';
import { editHoursSearchSchema } from '../../features/calling-hours/search.ts';
import { newCampaignSearchSchema } from '../../features/campaigns/new/search.ts';
import { campaignSearchSchema } from '../../features/campaigns/search.ts';
import { callsSearchSchema, placeCallSearchSchema } from '../../features/calls/search.ts';
import { doNotCallSearchSchema } from '../../features/do-not-call/search.ts';
import { deliveriesSearchSchema } from '../../features/webhooks/search.ts';
import { overviewSearchSchema } from '../../features/overview/search.ts';
import { rememberAccount } from '../../shared/session/last-account.ts';
import { membershipOf } from '../../shared/session/session.ts';
import { lazyPage } from '../page-not-loaded.ts';
import { AccountArea } from '../layout/account-area.tsx';
import { signedInRoute } from './signed-in.tsx';

/** An account that the user does not belong to looks like one that does not exist. */
const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/accounts/$accountId',
  beforeLoad: ({ context, params }) => {
    if (membershipOf(context.session, params.accountId) === undefined) throw notFound();
    rememberAccount(params.accountId);
  },
  component: AccountArea,
});

const accountHomeRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/accounts/$accountId/overview', params, replace: true });
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/overview',
  validateSearch: overviewSearchSchema,
  component: lazyPage(() => import('../../features/overview/overview-page.tsx'), 'OverviewPage'),
});

const callsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/calls',
  validateSearch: callsSearchSchema,
  component: lazyPage(() => import('../../features/calls/calls-page.tsx'), 'CallsPage'),
});

const placeCallRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/calls/new',
  validateSearch: placeCallSearchSchema,
  component: lazyPage(() => import('../../features/calls/place-call-page.tsx'), 'PlaceCallPage'),
});

const callRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/calls/$callId',
  component: lazyPage(() => import('../../features/calls/call-page.tsx'), 'CallPage'),
});

const campaignsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/campaigns',
  component: lazyPage(() => import('../../features/campaigns/campaigns-page.tsx'), 'CampaignsPage'),
});

const newCampaignRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/campaigns/new',
  validateSearch: newCampaignSearchSchema,
  component: lazyPage(() => import('../../features/campaigns/new/new-campaign-page.tsx'), 'NewCampaignPage'),
});

const campaignRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/campaigns/$campaignId',
  validateSearch: campaignSearchSchema,
  component: lazyPage(() => import('../../features/campaigns/campaign-page.tsx'), 'CampaignPage'),
});

const agentsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/agents',
  component: lazyPage(() => import('../../features/agents/agents-page.tsx'), 'AgentsPage'),
});

const newAgentRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/agents/new',
  validateSearch: newAgentSearchSchema,
  component: lazyPage(() => import('../../features/agents/new-agent-page.tsx'), 'NewAgentPage'),
});

const agentRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/agents/$agentId',
  component: lazyPage(() => import('../../features/agents/agent-page.tsx'), 'AgentPage'),
});

const numbersRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/numbers',
  component: lazyPage(() => import('../../features/numbers/numbers-page.tsx'), 'NumbersPage'),
});

const doNotCallRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/do-not-call',
  validateSearch: doNotCallSearchSchema,
  component: lazyPage(() => import('../../features/do-not-call/do-not-call-page.tsx'), 'DoNotCallPage'),
});

const callingHoursRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/calling-hours',
  component: lazyPage(() => import('../../features/calling-hours/calling-hours-page.tsx'), 'CallingHoursPage'),
});

const editHoursRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/calling-hours/edit',
  validateSearch: editHoursSearchSchema,
  component: lazyPage(() => import('../../features/calling-hours/edit-hours-page.tsx'), 'EditHoursPage'),
});

const walletRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/wallet',
  component: lazyPage(() => import('../../features/wallet/wallet-page.tsx'), 'WalletPage'),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/api-keys',
  component: lazyPage(() => import('../../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});

const credentialsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/credentials',
  component: lazyPage(() => import('../../features/credentials/credentials-page.tsx'), 'CredentialsPage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/webhooks',
  component: lazyPage(() => import('../../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhookEndpointRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/webhooks/$endpointId',
  validateSearch: deliveriesSearchSchema,
  component: lazyPage(() => import('../../features/webhooks/endpoint-page.tsx'), 'EndpointPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/members',
  component: lazyPage(() => import('../../features/members/members-page.tsx'), 'MembersPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/requests',
  component: lazyPage(() => import('../../features/requests/requests-page.tsx'), 'RequestsPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/audit',
  component: lazyPage(() => import('../../features/audit/audit-page.tsx'), 'AccountAuditPage'),
});

export const accountRoutes = accountRoute.addChildren([
  accountHomeRoute,
  overviewRoute,
  callsRoute,
  placeCallRoute,
  callRoute,
  campaignsRoute,
  newCampaignRoute,
  campaignRoute,
  agentsRoute,
  newAgentRoute,
  agentRoute,
  numbersRoute,
  doNotCallRoute,
  callingHoursRoute,
  editHoursRoute,
  walletRoute,
  apiKeysRoute,
  credentialsRoute,
  webhooksRoute,
  webhookEndpointRoute,
  membersRoute,
  requestsRoute,
  auditRoute,
]);
