import { dashboardErrorSchema, type DashboardErrorBody } from '@outdial/contracts';

/** What an answer says, or what kept it from coming: the service is out of reach, or speaks another version. */
export type ApiErrorCode = DashboardErrorBody['error']['code'] | 'unreachable' | 'unexpected_answer';

interface ApiErrorFacts {
  readonly code: ApiErrorCode;
  readonly message: string;
  /** 0: there was no answer. */
  readonly status: number;
  readonly param?: string | undefined;
  readonly details?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A refusal of the service. `message` is for people and says what to do. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly param: string | undefined;
  readonly details: unknown;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(facts: ApiErrorFacts) {
    super(facts.message);
    this.name = 'ApiError';
    this.code = facts.code;
    this.status = facts.status;
    this.param = facts.param;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

export const unreachable = () =>
  new ApiError({
    code: 'unreachable',
    message: 'The service cannot be reached. Check your connection, then try again.',
    status: 0,
  });

export const unexpectedAnswer = (status: number) =>
  new ApiError({
    code: 'unexpected_answer',
    message:
      'The service answered in a way this page does not understand. Reload the page: there may be a new version.',
    status,
  });

/** The error that an answer carries, whatever its body turns out to be. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = dashboardErrorSchema.safeParse(await readJson(response));
  if (!body.success) return unexpectedAnswer(response.status);
  const { code, message, param, details, request_id: requestId } = body.data.error;
  const retryAfter = response.headers.get('Retry-After');
  const retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  return new ApiError({ code, message, status: response.status, param, details, requestId, retryAfterSeconds });
}

/** Undefined for what is not JSON, such as the page of a proxy. */
export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
