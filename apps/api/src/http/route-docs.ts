import type { z } from 'zod';

/** What the API reference tells of a route beside its schemas. */
export interface RouteDocs {
  /** Its name in generated clients. */
  readonly operationId: string;
  readonly tag: 'Calls' | 'Account';
  /** A few words. */
  readonly summary: string;
  readonly description: string;
  /** Request headers of this route alone, by name. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  /** Each status of success. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204 | 206, AnswerDocs>>>;
}

export interface AnswerDocs {
  readonly description: string;
  /** Response headers of this answer, with what each says. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What it is besides JSON, by media type. */
  readonly media?: Readonly<Record<string, MediaDocs>>;
}

export interface MediaDocs {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string;
}
