import type { CallingPolicy, CallingPolicyCheck, CallingPolicyQuestion, NewCallingPolicy } from '@outdial/sdk';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { facts, table } from '../terminal/table.ts';
import type { CommandContext } from './command-context.ts';
import { readJson } from './read-json.ts';

const LARGEST_PAGE = 100;
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export async function showPolicy(context: CommandContext): Promise<ExitCode> {
  const envelope = await (await context.client()).account.callingPolicy.get({ signal: context.io.interrupted });
  context.print({ json: envelope, text: envelopeText(envelope) });
  return EXIT.done;
}

export async function setPolicy(context: CommandContext, path: string): Promise<ExitCode> {
  const body: NewCallingPolicy = await readJson(context.io, path);
  const outdial = await context.client();
  const envelope = await outdial.account.callingPolicy.update(body, { signal: context.io.interrupted });
  context.print({ json: envelope, text: envelopeText(envelope) });
  return EXIT.done;
}

/** So that a script can ask before it calls: `refused` unless the number may be called. */
export async function checkPolicy(context: CommandContext, question: CallingPolicyQuestion): Promise<ExitCode> {
  const outdial = await context.client();
  const answer = await outdial.account.callingPolicy.check(question, { signal: context.io.interrupted });
  const rows = answer.zones.map(({ zone, local_time: time, open }) => [zone, time, open ? 'open' : 'closed']);
  const said = facts([
    ['verdict', answer.verdict],
    ['opens at', answer.opens_at ?? (areOpen(answer) ? 'open already' : 'not within 90 days')],
    ['closes at', answer.closes_at ?? (areOpen(answer) ? 'not within 90 days' : '-')],
    ['capped until', answer.capped_until ?? '-'],
    ['policy version', String(answer.policy_version)],
  ]);
  const zones =
    rows.length === 0
      ? 'The number has no time zone: give one with --zone.\n'
      : table(['ZONE', 'LOCAL TIME', 'HOURS'], rows);
  context.print({ json: answer, text: said + zones });
  return answer.verdict === 'allowed' ? EXIT.done : EXIT.refused;
}

/** Without a zone the API says that nothing opens only if there is a rule about hours. */
function areOpen({ verdict, opens_at: opensAt, zones }: CallingPolicyCheck): boolean {
  return verdict !== 'outside_calling_window' && opensAt === null && zones.every(({ open }) => open);
}

export async function listPolicyVersions(context: CommandContext, limit: number): Promise<ExitCode> {
  const outdial = await context.client();
  const versions: CallingPolicy[] = [];
  const page = { limit: Math.min(limit, LARGEST_PAGE) };
  for await (const version of outdial.account.callingPolicy.versions(page, { signal: context.io.interrupted })) {
    versions.push(version);
    if (versions.length === limit) break;
  }
  const rows = versions.map(({ version, saved_at: at, saved_by: by, pack, windows, caps }) => [
    String(version),
    at ?? '-',
    by ?? '-',
    pack ?? '-',
    String(Object.keys(windows).length),
    String(caps.length),
  ]);
  context.print({
    json: { versions },
    text: table(['VERSION', 'SAVED', 'BY', 'PACK', 'ROWS OF HOURS', 'CAPS'], rows),
  });
  return EXIT.done;
}

type Rules = Pick<CallingPolicy, 'windows' | 'closed_days' | 'caps' | 'trust_given_zone'>;

function envelopeText({
  calling_policy: policy,
  floor,
}: {
  readonly calling_policy: CallingPolicy;
  readonly floor: Rules | null;
}): string {
  const head = facts([
    ['version', String(policy.version)],
    ['saved', policy.saved_at ?? 'never'],
    ['by', policy.saved_by ?? '-'],
  ]);
  const below = floor === null ? 'There is no floor.\n' : `The floor, which holds besides:\n${rulesText(floor)}`;
  return head + rulesText(policy) + below;
}

function rulesText({ windows, closed_days: days, caps, trust_given_zone: isTrusted }: Rules): string {
  const rows = Object.entries(windows)
    .toSorted(([one], [other]) => Number(other === 'default') - Number(one === 'default'))
    .map(([key, week]) => [key, ...WEEKDAYS.map((day) => week[day].join(' ') || 'closed')]);
  return (
    facts([
      ['caps', caps.map(({ hours, max }) => `${max} in ${hours} h`).join(', ') || 'none'],
      ['closed days', days.join(', ') || 'none'],
      ['trusts given zones', isTrusted ? 'yes' : 'no'],
    ]) +
    (rows.length === 0
      ? 'Every hour is open.\n'
      : table(['HOURS OF', ...WEEKDAYS.map((day) => day.toUpperCase())], rows))
  );
}
