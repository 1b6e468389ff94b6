import type { UsageEntry, UsageUnit } from '../../mind.ts';
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

const tokensOf = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** For an answer that the provider reports nothing of: it bills what it read, and what it wrote until then. */
export function estimatedUsage(payer: Payer, request: LanguageModelRequest, written: string): readonly UsageEntry[] {
  const read = JSON.stringify([request.instructions, request.conversation, request.tools]);
  const tokens = { input: tokensOf(read), cachedInput: 0, output: tokensOf(written) };
  return tokenUsage(payer, tokens).map((entry) => ({ ...entry, estimated: true }));
}
