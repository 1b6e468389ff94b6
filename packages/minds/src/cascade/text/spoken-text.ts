/**
 * What a voice can say of a text that a model wrote for a screen: without Markdown, links and emojis. Words, numbers and
 * punctuation stay as they are.
 */
export function spokenText(written: string): string {
  return written
    .replaceAll(/```[\w+-]*\n?/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replaceAll(/<(?:https?:\/\/|mailto:)([^>\s]*)>/g, '$1')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, ' ')
    .replaceAll(/\bhttps?:\/\/(?:www\.)?([^\s/?#)\]]*)[^\s)\],]*?(?=[.,;:!?]*(?:[\s)\]]|$))/gi, '$1')
    .replaceAll(/^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?|[-*+•][ \t]+)/gm, '')
    .replaceAll(/^[ \t]*(?:[-=_*|:][ \t]*){3,}$/gm, ' ')
    .replaceAll(EMOJIS, ' ')
    .replaceAll(/(^|[^\p{L}\p{N}])_+|_+(?=[^\p{L}\p{N}]|$)/gu, '$1')
    .replaceAll(/[*`|~\\#[\]]+/g, (marks) => (marks === '#' ? '#' : ''))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s+(?=[.,;:!?](?:\s|$))/g, '')
    .trim();
}

/** With skin tones, joiners, variation selectors, flags and key caps (Unicode UTS 51). */
const EMOJIS =
  /(?:[0-9#*]\uFE0F?\u20E3|\p{Regional_Indicator}|[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\u200D|\uFE0E|\uFE0F|\u20E3|[\u{E0020}-\u{E007F}])+/gu;
