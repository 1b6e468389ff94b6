import { ApiError } from '../../http/api-error.ts';
import type { AccountPrincipal } from '../../http/principal.ts';

export function oneAtATime(): ApiError {
  return new ApiError({
    code: 'rate_limited',
    publicMessage: 'The account is sending another file of contacts. Wait for its end, then send this one.',
    details: { scope: 'account', thing: 'contact_uploads', max: 1 },
    retryAfterSeconds: 5,
  });
}

export function accessEnded({ caller }: AccountPrincipal): ApiError {
  return new ApiError({
    code: caller.kind === 'api_key' ? 'invalid_api_key' : 'not_signed_in',
    publicMessage: 'Your access ended during the upload. Nothing of the file was added.',
  });
}

export function uploadGivenUp(): ApiError {
  return new ApiError({
    code: 'upload_failed',
    publicMessage:
      'The upload was given up, because nothing came for ten minutes. Nothing of it was added: send it again.',
  });
}

export function uploadLost(): ApiError {
  return new ApiError({
    code: 'upload_failed',
    publicMessage:
      'The database has lost a part of the upload, because a standby took over. Nothing of it was added: send it again.',
  });
}

export function linesRefused(upload: number): ApiError {
  return new ApiError({
    code: 'lines_refused',
    publicMessage: `The file has lines that are no contact, so nothing of it was added. The errors of upload ${upload} name them.`,
    details: { upload },
  });
}

export function uploadNotFound(): ApiError {
  return new ApiError({
    code: 'upload_not_found',
    publicMessage: 'Your account has no campaign with this id, or the campaign has no such upload.',
    param: 'upload',
  });
}
