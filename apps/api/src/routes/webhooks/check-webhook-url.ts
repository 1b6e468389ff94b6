import { invalidRequest } from '../../http/api-error.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** Rejects a URL that no webhook could be sent to. Its host is looked up later, with each request. @throws ApiError */
export function checkWebhookUrl({ egress }: Pick<WebhookDeps, 'egress'>, param: string, url: string): void {
  const checked = egress.check(url, 'allow_list');
  if (!checked.ok) throw invalidRequest([{ param, message: checked.problem }]);
}
