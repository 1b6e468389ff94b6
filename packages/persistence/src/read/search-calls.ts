import type { CallSearch, MetadataPart, NumberPart } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import { conditions, upperBound, type ListInput } from './list-conditions.ts';

/**
 * Up to this many matching numbers, a page merges the newest calls of each. Above it, the account's calls are scanned
 * from the newest: at least one in a few thousand matches.
 */
const FEW_NUMBERS = 100;
const TERM_POSITION = { createdAt: Prisma.sql`t.created_at`, id: Prisma.sql`t.call_id` };
const PAGE_ORDER = Prisma.sql`ORDER BY c.created_at DESC, c.id DESC`;

function likeOf({ digits, isStart }: NumberPart): string {
  return isStart ? `+${digits}%` : `%${digits}%`;
}

/** As the terms are stored: truncated and in lower case. */
function termIs(alias: string, { key, value }: MetadataPart): Prisma.Sql {
  const of = Prisma.raw(alias);
  const keyIs = key === null ? Prisma.empty : Prisma.sql`AND ${of}.key = lower(left(${key}, 100))`;
  return Prisma.sql`${of}.value = lower(left(${value}, 200)) ${keyIs}`;
}

/**
 * One page of search results. Numbers and metadata of scheduled and of ended calls are in side tables that a trigger and the
 * counting fill (`called_numbers`, `call_terms`), so that accepting a call maintains no search index on `calls`; calls that
 * hold a slot or are not counted yet are few, and scanned.
 */
export function searchStatement(input: ListInput, search: CallSearch, columns: Prisma.Sql): Prisma.Sql {
  const { callId, number, metadata } = search;
  if (callId !== null) {
    return Prisma.sql`
      SELECT ${columns} FROM calls c WHERE c.id = ${callId}::uuid AND ${conditions(input)} LIMIT ${input.limit}::int`;
  }
  const parts = [
    ...(number === null ? [] : byNumber(input, number)),
    ...(metadata === null ? [] : [byMetadata(input, metadata)]),
    ...uncounted(input, search),
  ];
  const like = number === null ? null : likeOf(number);
  return Prisma.sql`
    WITH numbers AS MATERIALIZED (
      SELECT n.number FROM called_numbers n
      WHERE n.account_id = ${input.accountId}::uuid AND n.number LIKE ${like} LIMIT ${FEW_NUMBERS + 1}::int
    ), found AS (${Prisma.join(parts, ' UNION ')}), page AS (
      SELECT f.id FROM found f ORDER BY f.created_at DESC, f.id DESC LIMIT ${input.limit}::int
    )
    SELECT ${columns} FROM page p JOIN calls c ON c.id = p.id ${PAGE_ORDER}`;
}

function byNumber(input: ListInput, number: NumberPart): readonly Prisma.Sql[] {
  const areFew = Prisma.sql`(SELECT count(*) FROM numbers) <= ${FEW_NUMBERS}::int`;
  return [
    Prisma.sql`(
      SELECT x.id, x.created_at FROM numbers n, LATERAL (
        SELECT c.id, c.created_at FROM calls c WHERE c.callee_number = n.number AND ${conditions(input)}
        ${PAGE_ORDER} LIMIT ${input.limit}::int
      ) x WHERE ${areFew})`,
    Prisma.sql`(
      SELECT c.id, c.created_at FROM calls c
      WHERE NOT (${areFew}) AND c.callee_number LIKE ${likeOf(number)} AND ${conditions(input)}
      ${PAGE_ORDER} LIMIT ${input.limit}::int)`,
  ];
}

function byMetadata(input: ListInput, metadata: MetadataPart): Prisma.Sql {
  const bound = upperBound(input, TERM_POSITION);
  return Prisma.sql`(
    SELECT DISTINCT t.call_id AS id, t.created_at FROM call_terms t JOIN calls c ON c.id = t.call_id
    WHERE t.account_id = ${input.accountId}::uuid AND ${termIs('t', metadata)} AND ${conditions(input)}
      ${bound === null ? Prisma.empty : Prisma.sql`AND ${bound}`}
    ORDER BY t.created_at DESC, t.call_id DESC LIMIT ${input.limit}::int)`;
}

function uncounted(input: ListInput, { number, metadata }: CallSearch): readonly Prisma.Sql[] {
  const matches = Prisma.join(
    [
      ...(number === null ? [] : [Prisma.sql`c.callee_number LIKE ${likeOf(number)}`]),
      ...(metadata === null
        ? []
        : [Prisma.sql`EXISTS (SELECT FROM metadata_terms(c.metadata) m WHERE ${termIs('m', metadata)})`]),
    ],
    ' OR ',
  );
  return [
    Prisma.sql`(SELECT c.id, c.created_at FROM calls c
      WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL AND (${matches}) AND ${conditions(input)})`,
    Prisma.sql`(SELECT c.id, c.created_at FROM uncounted_calls u JOIN calls c ON c.id = u.call_id
      WHERE u.account_id = ${input.accountId}::uuid AND (${matches}) AND ${conditions(input)})`,
  ];
}
