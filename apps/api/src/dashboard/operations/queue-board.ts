import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { AppViewRoute } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import { callJobSchema } from '@outdial/contracts';
import type { OwnedCallQueue } from '@outdial/queue';
import type { RequestHandler } from 'express';
import { securityHeaders } from '../../http/security-headers.ts';

export const QUEUE_BOARD_PATH = '/api/dashboard/operations/queues';

/** Its page finds its files by `<base>`, and the dashboard shows it in a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const UNREAD = {
  status: 500,
  body: { error: 'Could not read the queue because Redis does not respond. Try again.' },
} as const;

/** Its page without links to other hosts, and error responses without the thrown error. */
class OwnPageAdapter extends ExpressAdapter {
  constructor() {
    super();
    this.app.disable('x-powered-by');
  }

  override setErrorHandler(): this {
    return super.setErrorHandler(() => UNREAD);
  }

  override setEntryRoute(entry: AppViewRoute): this {
    this.app.get(entry.route, (_request, response, next) => {
      const { name, params } = entry.handler({ basePath: this.basePath, uiConfig: this.uiConfig });
      response.render(name, params, (error: Error | null, html: string) => {
        if (error) next(error);
        else response.type('html').send(html.replaceAll(/<link [^>]*https?:[^>]*>/g, ''));
      });
    });
    return this;
  }
}

/**
 * BullMQ's dashboard, read-only. The protocol forbids running, deleting or adding a job by hand: the board is
 * read-only, and the route that mounts it passes only GET and HEAD.
 */
export function createQueueBoard(queue: Pick<OwnedCallQueue, 'inspect'>): RequestHandler {
  const common = securityHeaders();
  let shown: { readonly of: ReturnType<OwnedCallQueue['inspect']>; readonly handle: RequestHandler } | undefined;
  return (request, response, next) => {
    // A queue whose Redis was away when it was opened is opened again.
    const of = queue.inspect();
    if (shown?.of !== of) shown = { of, handle: boardOf(of) };
    for (let index = 0; index + 1 < common.length; index += 2) {
      response.setHeader(common[index] ?? '', common[index + 1] ?? '');
    }
    response.setHeader('Content-Security-Policy', POLICY);
    // Responses about jobs must not be cached; its own files may be.
    if (!request.path.startsWith('/static/')) response.setHeader('Cache-Control', 'no-store');
    shown.handle(request, response, next);
  };
}

function boardOf(queue: ReturnType<OwnedCallQueue['inspect']>): RequestHandler {
  const serverAdapter = new OwnPageAdapter();
  serverAdapter.setBasePath(QUEUE_BOARD_PATH);
  const adapter = new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false });
  adapter.setFormatter('data', (data: unknown) => callJobSchema.safeParse(data).data ?? {});
  createBullBoard({ queues: [adapter], serverAdapter, options: { uiConfig: { boardTitle: 'Outdial' } } });
  const router: RequestHandler = serverAdapter.getRouter();
  return router;
}
