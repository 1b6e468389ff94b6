import type { AddTrunkInput, OperatedTrunkBody, UpdateTrunkInput } from '@outdial/contracts';

/** The form's values. */
export interface TrunkValues {
  name: string;
  uri: string;
  transport: OperatedTrunkBody['transport'];
  outbound_proxy: string;
  channels: number | string;
  calls_per_second: number | string;
  /** Comma-separated. */
  caller_prefixes: string;
  asserts_caller: boolean;
  number_format: OperatedTrunkBody['number_format'];
  /** Comma-separated, in order of preference. */
  codecs: string;
  priority: number | string;
  weight: number | string;
  health_check: OperatedTrunkBody['health_check'];
  media_source: OperatedTrunkBody['media_source'];
  transfers: OperatedTrunkBody['transfers'];
  username: string;
  password: string;
}

export function valuesOf(trunk: OperatedTrunkBody | null): TrunkValues {
  return {
    name: trunk?.name ?? '',
    uri: trunk?.uri ?? '',
    transport: trunk?.transport ?? 'udp',
    outbound_proxy: trunk?.outbound_proxy ?? '',
    channels: trunk?.channels ?? 10,
    calls_per_second: trunk?.calls_per_second ?? 2,
    caller_prefixes: trunk?.caller_prefixes.join(', ') ?? '',
    asserts_caller: trunk?.asserts_caller ?? false,
    number_format: trunk?.number_format ?? 'e164',
    codecs: trunk?.codecs.join(',') ?? 'PCMU,PCMA',
    priority: trunk?.priority ?? 10,
    weight: trunk?.weight ?? 10,
    health_check: trunk?.health_check ?? 'options',
    media_source: trunk?.media_source ?? 'sdp_host',
    transfers: trunk?.transfers ?? 'none',
    username: trunk?.username ?? '',
    password: '',
  };
}

const numberOf = (value: number | string) => (value === '' ? Number.NaN : Number(value));
const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function settingsOf(values: TrunkValues) {
  return {
    uri: values.uri.trim(),
    transport: values.transport,
    outbound_proxy: values.outbound_proxy.trim() === '' ? null : values.outbound_proxy.trim(),
    channels: numberOf(values.channels),
    calls_per_second: numberOf(values.calls_per_second),
    caller_prefixes: listOf(values.caller_prefixes),
    asserts_caller: values.asserts_caller,
    number_format: values.number_format,
    codecs: listOf(values.codecs).filter((codec) => codec === 'PCMU' || codec === 'PCMA'),
    priority: numberOf(values.priority),
    weight: numberOf(values.weight),
    health_check: values.health_check,
    media_source: values.media_source,
    transfers: values.transfers,
  };
}

export function addedOf(values: TrunkValues): AddTrunkInput {
  const { username, password } = values;
  const credentials = username.trim() === '' && password === '' ? null : { username: username.trim(), password };
  return { name: values.name.trim(), ...settingsOf(values), credentials };
}

/**
 * The changes of an edit. A trunk keeps its password, which the service never returns, unless the user types a new one.
 * Removing the username removes the password.
 */
export function changesOf(values: TrunkValues, before: OperatedTrunkBody): UpdateTrunkInput {
  const username = values.username.trim();
  const settings = settingsOf(values);
  if (username === '' && values.password === '') {
    return before.username === null ? settings : { ...settings, credentials: null };
  }
  const isKept = values.password === '' && username === before.username;
  return isKept ? settings : { ...settings, credentials: { username, password: values.password } };
}

/** Maps a path of the request to the form's field. */
export function fieldOf(path: string): string {
  if (path.startsWith('credentials.')) return path.slice('credentials.'.length);
  if (path === 'credentials') return 'password';
  return path.split('.')[0] ?? path;
}
