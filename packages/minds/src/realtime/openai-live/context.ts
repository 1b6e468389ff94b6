/** A note for the model. `asked`: it acts on it at once; else it keeps it in mind. */
export type Context = 'asked' | 'silent';

/** The provider takes 500 tokens in a note: about 1,500 Latin characters, and 330 of other scripts. */
const MAX_WEIGHT = 450;
const LAST_LATIN = 0x24f;

function weightOf(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at += 1) weight += text.charCodeAt(at) > LAST_LATIN ? 1.3 : 0.3;
  return weight;
}

export const appended = (how: Context, content: string, eventId?: string): object => ({
  type: how === 'asked' ? 'session.instructions.append' : 'session.thinking.append',
  content,
  // Those of delegated work come as results of its tools.
  delegation_id: null,
  ...(eventId === undefined ? {} : { event_id: eventId }),
});

/** Notes quote a text as JSON, which makes some characters longer. */
const quotedWeightOf = (text: string): number => weightOf(JSON.stringify(text).slice(1, -1));

/** A text in parts of which each fits into a note once it is quoted, cut between words where it can be. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let weight = 0;
  for (const word of text.match(/\s{0,20}\S{1,160}|\s{1,20}/gu) ?? []) {
    const more = quotedWeightOf(word);
    if (weight + more > MAX_WEIGHT && part !== '') {
      parts.push(part);
      part = '';
      weight = 0;
    }
    part += word;
    weight += more;
  }
  return part === '' && parts.length > 0 ? parts : [...parts, part];
}
