const MAX_LENGTH = 72;
/** A third person, a past tense or a gerund is the usual slip. */
const NOT_IMPERATIVE =
  /^(?:adds|added|adding|fixes|fixed|fixing|makes|made|making|updates|updated|updating|removes|removed|removing|changes|changed|changing|moves|moved|moving|uses|used|using)$/i;

/** What is wrong with the subject of a commit; null if nothing is. */
export function subjectProblem(subject) {
  if (/^(?:Merge|Revert) /.test(subject)) return null;
  if (subject.length > MAX_LENGTH) return `has ${subject.length} characters; at most ${MAX_LENGTH} are allowed`;
  const verb = /^[a-z0-9][a-z0-9-]*(?:, [a-z0-9-]+)*: ([a-z][\w-]*)(?![\w-])(?:.*[^.\s])?$/.exec(subject)?.[1];
  if (verb === undefined) return 'must be "scope: imperative", such as "queue: delay jobs while no trunk answers"';
  return NOT_IMPERATIVE.test(verb) ? `must begin with an imperative after the scope, not with "${verb}"` : null;
}
