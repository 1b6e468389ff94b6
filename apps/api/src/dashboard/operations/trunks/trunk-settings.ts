import type { addTrunkSchema, updateTrunkSchema } from '@outdial/contracts';
import type { NewTrunkCredentials, TrunkRecord, TrunkSettings } from '@outdial/persistence';
import type { SecretKey } from '@outdial/secrets';
import type { z } from 'zod';
import { ApiError } from '../../../http/api-error.ts';

type Added = z.output<typeof addTrunkSchema>;
type Changed = z.output<typeof updateTrunkSchema>;

export function newSettings(body: Added): TrunkSettings {
  return {
    uri: body.uri,
    transport: body.transport,
    outboundProxy: body.outbound_proxy,
    channels: body.channels,
    callsPerSecond: body.calls_per_second,
    callerId: { prefixes: body.caller_prefixes, asserted: body.asserts_caller },
    numberFormat: body.number_format,
    codecs: body.codecs,
    priority: body.priority,
    weight: body.weight,
    healthCheck: body.health_check,
    mediaSource: body.media_source,
    transfers: body.transfers,
  };
}

/** Omitted fields stay unchanged. */
export function changedSettings(body: Changed, before: Pick<TrunkRecord, 'callerId'>): Partial<TrunkSettings> {
  const { caller_prefixes: prefixes, asserts_caller: asserted } = body;
  const changes = {
    uri: body.uri,
    transport: body.transport,
    outboundProxy: body.outbound_proxy,
    channels: body.channels,
    callsPerSecond: body.calls_per_second,
    numberFormat: body.number_format,
    codecs: body.codecs,
    priority: body.priority,
    weight: body.weight,
    healthCheck: body.health_check,
    mediaSource: body.media_source,
    transfers: body.transfers,
    // One of the two rules may change without the other.
    callerId:
      prefixes === undefined && asserted === undefined
        ? undefined
        : { prefixes: prefixes ?? before.callerId.prefixes, asserted: asserted ?? before.callerId.asserted },
  };
  return withoutUndefined(changes);
}

type Given<Changes> = { [Name in keyof Changes]?: Exclude<Changes[Name], undefined> };

function withoutUndefined<Changes extends object>(changes: Changes): Given<Changes>;
function withoutUndefined(changes: object): object {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Seals the password with the secret key. @throws ApiError `secret_key_missing` */
export function sealable(credentials: Added['credentials'], secretKey: SecretKey | null): NewTrunkCredentials | null {
  if (credentials === null) return null;
  if (secretKey === null) {
    throw new ApiError({
      code: 'secret_key_missing',
      publicMessage: 'Trunk passwords cannot be saved yet. Start the API with the workers’ OUTDIAL_SECRET_KEY.',
      param: 'credentials',
    });
  }
  return { ...credentials, secretKey };
}
