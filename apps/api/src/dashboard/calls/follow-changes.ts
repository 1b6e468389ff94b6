import type { ChangeEvent } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { EVENT_STREAM_HEADERS, type ServerSentEvent } from '../../http/event-stream.ts';
import { headerOf } from '../../http/header.ts';
import type { ChangeHub } from '../../live/change-hub.ts';
import type { ChangeNews } from '../../live/change-news.ts';
import { readPosition, writePosition, type ChangePosition } from '../../live/change-position.ts';
import type { OpenStreams } from '../../live/open-streams.ts';
import { presentChange } from './present-change.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/changes',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: [],
});

export interface FollowChangesDeps {
  readonly streams: Pick<OpenStreams, 'open'>;
  readonly changes: Pick<ChangeHub, 'follow'>;
}

/** An unknown position is not an error: the client receives a resync and lists again. */
export function followChangesRoute({ streams, changes }: FollowChangesDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, rawHeaders, method }) => {
    if (method === 'HEAD') return { status: 200, headers: EVENT_STREAM_HEADERS, stream: null };
    const after = readPosition(headerOf(rawHeaders, 'Last-Event-ID') ?? '');
    const stream = streams.open(principal);
    const unfollow = changes.follow(principal.account.id, after, (news, at) => stream.send(toMessages(news, at)));
    stream.body.once('close', unfollow);
    return { status: 200, headers: EVENT_STREAM_HEADERS, stream: stream.body };
  });
}

/** Only the last message carries the position: a connection may break within a batch. */
function toMessages(news: ChangeNews, at: ChangePosition): readonly ServerSentEvent[] {
  const id = writePosition(at);
  switch (news.kind) {
    case 'resync':
      return [{ id, ...message('resync', {}) }];
    case 'changed': {
      const messages = news.calls.map((call) => message('call', presentChange(call)));
      return messages.map((each, index) => (index === messages.length - 1 ? { id, ...each } : each));
    }
    default:
      return news satisfies never;
  }
}

const message = (type: ChangeEvent, data: unknown) => ({ type, data });
