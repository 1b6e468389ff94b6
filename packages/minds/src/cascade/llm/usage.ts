import type { UsageEntry, UsageUnit } from '../../mind.ts';
import { conversationTurns } from './conversation.ts';
import type { LanguageModelRequest } from './language-model.ts';

interface Tokens {
  /** With the cached ones. */
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

type Payer = Pick<UsageEntry, 'provider' | 'model'>;

export function tokenUsage(payer: Payer, { input, cachedInput, output }: Tokens): readonly UsageEntry[] {
  const quantities: readonly (readonly [UsageUnit, number])[] = [
    ['input_text_token', Math.max(0, input - cachedInput)],
    ['cached_input_text_token', Math.min(input, cachedInput)],
    ['output_text_token', output],
  ];
  return quantities
    .filter(([, quantity]) => quantity > 0)
    .map(([unit, quantity]) => ({ component: 'llm', ...payer, unit, quantity }));
}

/** Of English text; others have fewer. */
const CHARACTERS_PER_TOKEN = 4;

const tokensOf = (texts: readonly string[]): number =>
  Math.floor(texts.reduce((sum, { length }) => sum + length, 0) / CHARACTERS_PER_TOKEN);

/**
 * For an answer that the provider reports nothing of: it bills what it read, and what it wrote until then. The words alone
 * are counted, and not what its protocol adds, so that no account pays for more than was made.
 */
export function estimatedUsage(payer: Payer, request: LanguageModelRequest, written: string): readonly UsageEntry[] {
  const tokens = { input: tokensOf(textsOf(request)), cachedInput: 0, output: tokensOf([written]) };
  return tokenUsage(payer, tokens).map((entry) => ({ ...entry, estimated: true }));
}

function textsOf({ instructions, conversation, tools }: LanguageModelRequest): readonly string[] {
  return [
    instructions,
    ...conversationTurns(conversation).flatMap((turn) =>
      turn.role === 'callee'
        ? [turn.text]
        : [turn.text, ...turn.toolCalls.flatMap(({ name, argumentsText, output }) => [name, argumentsText, output])],
    ),
    ...tools.flatMap(({ name, description, parameters }) => [name, description, JSON.stringify(parameters)]),
  ];
}
