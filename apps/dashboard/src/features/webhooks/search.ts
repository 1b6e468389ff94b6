import { webhookMessageIdSchema, listWebhookDeliveriesQuerySchema } from '@outdial/contracts';
import { z } from 'zod';

const { state, type } = listWebhookDeliveriesQuerySchema.shape;

/** The filters of deliveries and the open message in the URL. An invalid part is dropped. */
export const deliveriesSearchSchema = z.object({
  state: state.catch(undefined),
  type: type.catch(undefined),
  message: webhookMessageIdSchema.optional().catch(undefined),
});
export type DeliveriesSearch = z.output<typeof deliveriesSearchSchema>;
