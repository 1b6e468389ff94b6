import { dashboardErrorSchema, type DashboardErrorBody } from '@outdial/contracts';

/** The code of an error response, or why there is none: no connection, or a response this version cannot read. */
export type ApiErrorCode = DashboardErrorBody['error']['code'] | 'unreachable' | 'unexpected_answer';

interface ApiErrorFacts {
  readonly code: ApiErrorCode;
  readonly message: string;
  /** 0: there was no response. */
  readonly status: number;
  readonly param?: string | undefined;
  readonly details?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** An error of the service. `message` is for the user and says what to do. */
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
    message: 'Could not reach the service. Check your connection and try again.',
    status: 0,
  });

export const unexpectedAnswer = (status: number) =>
  new ApiError({
    code: 'unexpected_answer',
    message: 'The service sent an unexpected response. Reload the page to get the latest version.',
    status,
  });

/** The error that a response carries, whatever its body contains. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = dashboardErrorSchema.safeParse(await readJson(response));
  if (!body.success) return unexpectedAnswer(response.status);
  const { code, message, param, details, request_id: requestId } = body.data.error;
  const retryAfter = response.headers.get('Retry-After');
  const retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  return new ApiError({ code, message, status: response.status, param, details, requestId, retryAfterSeconds });
}

/** Undefined for a body that is not JSON, such as a proxy's error page. */
export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
