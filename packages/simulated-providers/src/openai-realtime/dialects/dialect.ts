import type { z } from 'zod';
import type { Address } from '../../http/endpoints.ts';
import type { Refusal } from '../../http/refusal.ts';
import type { ClientEvent } from '../client-events.ts';
import type { ServerMessage } from '../server-message.ts';

/** In what a provider of the Realtime API differs from OpenAI. */
export interface SimulatedDialect {
  readonly provider: 'openai' | 'azure' | 'xai';
  readonly path: RegExp;
  readonly access: (address: Address, model: string | null) => Refusal | null;
  /** What it accepts, as the session of OpenAI has it. */
  readonly clientEvents: z.ZodType<ClientEvent>;
  /** What it sends where OpenAI sends this. */
  readonly shape: (message: ServerMessage) => readonly object[];
  readonly billedBy: 'tokens' | 'time';
  /** A response that is canceled before its first sound has no end. */
  readonly leavesCancelledOpen: boolean;
}
