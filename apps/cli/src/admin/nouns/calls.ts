import {
  accountIdSchema,
  agentIdSchema,
  callIdSchema,
  campaignIdSchema,
  CALL_STATUSES,
  e164Schema,
  endedReasons,
} from '@outdial/contracts';
import type { CallFilter } from '@outdial/calls';
import type { Command } from 'commander';
import { z } from 'zod';
import { CliError } from '../../cli-error.ts';
import { callJson, callTable, callText, timelineText } from '../call-report.ts';
import { isoTime } from '../columns.ts';
import { instantText, wholeNumberText } from '../inputs.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const CALL_ID = [['<call-id>', 'from `calls list`, the API or a log line']] as const;
const callInput = z.strictObject({ callId: callIdSchema });

export function addCallVerbs(program: Command, runVerb: RunVerb): void {
  const calls = createNoun(program, 'calls', 'Calls of all accounts.');
  addListVerb(calls, runVerb);
  addVerb(calls, runVerb, {
    name: 'show',
    summary: 'Show a call with its timeline.',
    arguments: CALL_ID,
    examples: ['calls show 0190f3c4-0000-7000-8000-000000000001'],
    changes: false,
    input: callInput,
    async run(session, { callId }) {
      const accountId = await session.ownerOf(callId);
      const [call, events] = await Promise.all([
        session.reader.find(accountId, callId),
        session.reader.events(accountId, callId),
      ]);
      if (!call) throw new CliError(`There is no call ${callId}.`);
      const timeline = (events ?? []).map((event) => ({ at: isoTime(event.atMs), type: event.type }));
      return {
        json: { call: callJson(call), events: timeline },
        text: [...callText(call), '', ...timelineText(events ?? [])],
      };
    },
  });
  addVerb(calls, runVerb, {
    name: 'end',
    summary: 'End a call in any state: cancel it before it is dialed, hang up after.',
    arguments: CALL_ID,
    examples: ['calls end 0190f3c4-0000-7000-8000-000000000001'],
    changes: true,
    input: callInput,
    async run(session, { callId }) {
      const outcome = await session.endCall({ accountId: await session.ownerOf(callId), callId });
      if (outcome.kind === 'not_found') throw new CliError(`There is no call ${callId}.`);
      const said = outcome.kind === 'already_ended' ? 'It had already ended.' : 'It is being ended.';
      return { json: { call: callJson(outcome.call) }, text: [said, '', ...callText(outcome.call)] };
    },
  });
}

function addListVerb(calls: Command, runVerb: RunVerb): void {
  addVerb(calls, runVerb, {
    name: 'list',
    summary: "List an account's calls, the newest first.",
    flags: [
      ['--account <id>', 'whose calls'],
      ['--status <status>', CALL_STATUSES.join(', ')],
      ['--ended-reason <reason>', 'such as busy or callee_hangup'],
      ['--agent <id>', 'calls of this agent'],
      ['--to <number>', 'calls to this number'],
      ['--campaign <id>', 'calls of this campaign'],
      ['--after <time>', 'created after this time, ISO 8601'],
      ['--before <time>', 'created before this time, ISO 8601'],
      ['--limit <number>', 'calls, 1 to 1000 (default: 20)'],
    ],
    examples: [
      'calls list --account <account-id>',
      'calls list --account <account-id> --status in_progress',
      'calls list --account <account-id> --status scheduled',
      'calls list --account <account-id> --ended-reason busy --limit 100 --json',
    ],
    changes: false,
    input: z.strictObject({
      account: accountIdSchema,
      status: z.enum(CALL_STATUSES).optional(),
      endedReason: z.enum(endedReasons).optional(),
      agent: agentIdSchema.optional(),
      to: e164Schema.optional(),
      campaign: campaignIdSchema.optional(),
      after: instantText.optional(),
      before: instantText.optional(),
      limit: wholeNumberText({ min: 1, max: 1_000 }).default(20),
    }),
    async run({ administration, reader }, { account, limit, ...wanted }) {
      await administration.accounts.show(account);
      const list = await reader.list({ accountId: account, filter: filterOf(wanted), after: null, limit });
      return { json: { calls: list.map(callJson) }, text: callTable(list) };
    },
  });
}

interface WantedCalls {
  readonly status?: CallFilter['status'] | undefined;
  readonly endedReason?: CallFilter['endedReason'] | undefined;
  readonly agent?: CallFilter['agentId'] | undefined;
  readonly to?: CallFilter['calleeNumber'] | undefined;
  readonly campaign?: CallFilter['campaignId'] | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

function filterOf({ status, endedReason, agent, to, campaign, after, before }: WantedCalls): CallFilter {
  return {
    ...(status !== undefined && { status }),
    ...(endedReason !== undefined && { endedReason }),
    ...(agent !== undefined && { agentId: agent }),
    ...(to !== undefined && { calleeNumber: to }),
    ...(campaign !== undefined && { campaignId: campaign }),
    ...(after !== undefined && { createdAfterMs: after }),
    ...(before !== undefined && { createdBeforeMs: before }),
  };
}
