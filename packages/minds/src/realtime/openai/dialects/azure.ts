import type { RealtimeDialect } from './dialect.ts';
import { openAiDialect } from './openai.ts';

/**
 * Models of OpenAI in a resource of Azure. A model is named by its deployment, the one that transcribes too.
 *
 * Source: https://learn.microsoft.com/azure/foundry/openai/realtime-audio-reference
 */
export const azureDialect: RealtimeDialect = {
  ...openAiDialect,
  provider: 'azure',
  // A bearer token is one of Entra here.
  headers: (credential) => ({ 'api-key': credential }),
};
