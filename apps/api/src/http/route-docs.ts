import type { z } from 'zod';

/** What the API reference says about a route beyond its schemas. */
export interface RouteDocs {
  /** The operation's name in generated clients. */
  readonly operationId: string;
  readonly tag:
    | 'Calls'
    | 'Campaigns'
    | 'Do-not-call list'
    | 'Calling policy'
    | 'Agents'
    | 'Account'
    | 'API keys'
    | 'Credentials'
    | 'Webhooks';
  /** A few words. */
  readonly summary: string;
  readonly description: string;
  /** Request headers of this route alone, by name. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  /** The JSON of a request body that has other media types too. */
  readonly requestJson?: z.ZodType;
  /** A request body other than JSON, by media type. */
  readonly requestMedia?: Readonly<Record<string, MediaDocs>>;
  /** The answer for each status of success. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204 | 206, AnswerDocs>>>;
}

export interface AnswerDocs {
  readonly description: string;
  /** Response headers of this answer, each with its description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Schemas other than JSON, by media type. */
  readonly media?: Readonly<Record<string, MediaDocs>>;
}

export interface MediaDocs {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string;
}
