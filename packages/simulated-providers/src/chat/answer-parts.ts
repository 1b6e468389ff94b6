import type { Reply } from '../script.ts';

/** What a model writes, token by token; tools may come whole, or piece by piece. */
export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly argumentsText: string }
  | { readonly kind: 'arguments'; readonly text: string };

/** Of a tool's arguments that arrive at once. */
const ARGUMENTS_LENGTH = 12;

/** A part a word, then the call of the tool, if the request has tools. */
export function answerParts(
  { say = '', tool }: Reply,
  { callId, inPieces, hasTools }: { readonly callId: string; readonly inPieces: boolean; readonly hasTools: boolean },
): readonly AnswerPart[] {
  const words = (say.match(/\S+\s*/g) ?? []).map((text): AnswerPart => ({ kind: 'text', text }));
  if (tool === undefined || !hasTools) return words;
  const { name } = tool;
  const argumentsText = JSON.stringify(tool.arguments);
  if (!inPieces) return [...words, { kind: 'tool', id: callId, name, argumentsText }];
  const pieces = argumentsText.match(new RegExp(`.{1,${ARGUMENTS_LENGTH}}`, 'gs')) ?? [];
  return [
    ...words,
    { kind: 'tool', id: callId, name, argumentsText: '' },
    ...pieces.map((text): AnswerPart => ({ kind: 'arguments', text })),
  ];
}

/** What is billed as written. */
export const writtenBy = (part: AnswerPart): string =>
  part.kind === 'tool' ? `${part.name}${part.argumentsText}` : part.text;
