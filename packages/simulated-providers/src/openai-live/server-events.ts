/** What the simulated GPT-Live sends, without the id of the event, which the sender adds. */
export type ServerMessage =
  | { readonly type: 'session.started'; readonly session: SessionSnapshot }
  | { readonly type: 'session.output_audio.delta'; readonly delta: string }
  | ({ readonly type: 'session.input_transcript.delta' | 'session.output_transcript.delta' } & TranscriptDelta)
  | ({ readonly type: `session.${'instructions' | 'thinking' | 'commentary'}.appended` } & Acknowledged)
  | { readonly type: `session.input_audio.${'muted' | 'unmuted'}`; readonly client_event_id?: string }
  | { readonly type: 'session.updated'; readonly session: SessionSnapshot }
  | {
      readonly type: 'session.delegation.created';
      readonly delegation: {
        readonly id: string;
        readonly type: 'delegation';
        readonly target: 'responses';
        readonly response_id: string;
      };
      readonly offset_ms: number;
    }
  | { readonly type: 'response.event'; readonly delegation_id: string; readonly event: DelegatedEvent }
  | { readonly type: 'session.usage.updated'; readonly usage: { readonly seconds: number } }
  | {
      readonly type: 'session.closed';
      readonly reason: 'close_requested' | 'expired';
      readonly session: SessionSnapshot;
      readonly usage?: { readonly seconds: number };
    }
  | { readonly type: 'error'; readonly error: LiveError };

export interface SessionSnapshot {
  readonly id: string;
  readonly model: string;
  readonly status: 'active';
  /** Unix, in seconds. */
  readonly expires_at: number;
}

interface TranscriptDelta {
  readonly delta: string;
  readonly start_ms: number;
  readonly end_ms: number;
}

interface Acknowledged {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly client_event_id?: string;
}

export interface LiveError {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly param?: string;
  readonly client_event_id?: string;
}

/** An event of the Responses API. Snapshots of a response are empty: what it made comes item by item. */
export type DelegatedEvent =
  | { readonly type: 'response.created'; readonly response: { readonly id: string; readonly status: 'in_progress' } }
  | { readonly type: 'response.output_text.done'; readonly text: string }
  | {
      readonly type: 'response.output_item.done';
      readonly output_index: number;
      readonly item: Readonly<Record<string, unknown>> & { readonly type: 'function_call' | 'message' };
    }
  | {
      readonly type: 'response.completed';
      readonly response: {
        readonly id: string;
        readonly status: 'completed';
        readonly usage: {
          readonly input_tokens: number;
          readonly input_tokens_details: { readonly cached_tokens: number };
          readonly output_tokens: number;
        };
      };
    };
