import type { Voice } from '@outdial/contracts';

/** To the engine's thread, one at a time. */
export interface EngineRequest {
  readonly text: string;
  readonly voice: Voice;
}

/** From the engine's thread, one per request. */
export type EngineReply =
  | { readonly kind: 'spoken'; readonly samples: Int16Array }
  | { readonly kind: 'failed'; readonly message: string };
