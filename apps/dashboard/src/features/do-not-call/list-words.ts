import type { SuppressionImportBody } from '@outdial/contracts';
import { formatCount } from '../../shared/format/numbers.ts';

const numbers = (count: number) => (count === 1 ? '1 number' : `${formatCount(count)} numbers`);

/** What came of adding numbers. */
export function addedWords(added: number, alreadyListed: number): string {
  if (added === 0)
    return alreadyListed === 1 ? 'The number was on the list already.' : 'All numbers were on the list already.';
  const rest =
    alreadyListed === 0 ? '' : ` ${numbers(alreadyListed)} ${alreadyListed === 1 ? 'was' : 'were'} on it already.`;
  return `${numbers(added)} added to the list.${rest}`;
}

/** What came of a file, in sentences. */
export function importWords({
  lines,
  added,
  already_listed: listed,
  invalid,
}: SuppressionImportBody): readonly string[] {
  if (lines === 0) return ['The file has no numbers.'];
  return [
    `${numbers(added)} added to the list.`,
    ...(listed === 0
      ? []
      : [`${numbers(listed)} ${listed === 1 ? 'was' : 'were'} on the list already, or twice in the file.`]),
    ...(invalid === 0 ? [] : [invalidWords(invalid)]),
  ];
}

function invalidWords(count: number): string {
  return count === 1
    ? '1 line has no valid number, and was left out.'
    : `${formatCount(count)} lines have no valid number, and were left out.`;
}
