import {
  ANSWER_MODES,
  TextModelError,
  type AnswerMode,
  type TextAnswer,
  type TextMessage,
  type TextModel,
  type TextUsage,
} from './text-model.ts';
import type { AnalysisResult, ResultSchema } from './result-schema.ts';

export type LadderOutcome = { readonly usage: TextUsage } & (
  | { readonly kind: 'answered'; readonly result: AnalysisResult }
  /** Also after a correction. */
  | { readonly kind: 'unusable'; readonly text: string }
);

/**
 * Asks for an answer that fits the schema: held to it by the provider, or as JSON, or as text, whichever the model knows
 * first. An answer that does not fit is corrected once. At most four requests. @throws TextModelError
 */
export async function climb(
  model: TextModel,
  messages: readonly TextMessage[],
  schema: ResultSchema,
  signal: AbortSignal,
): Promise<LadderOutcome> {
  const { mode, answer, asked } = await firstAnswer(model, messages, schema, signal);
  const parsed = schema.parse(answer.text);
  if (parsed.ok) return { kind: 'answered', result: parsed.result, usage: answer.usage };
  const repair: readonly TextMessage[] = [
    ...asked,
    { role: 'assistant', content: answer.text },
    { role: 'user', content: correctionOf(parsed.problems) },
  ];
  const corrected = await model.complete({ messages: repair, mode, schema: schema.strict, signal });
  const usage = sum(answer.usage, corrected.usage);
  const again = schema.parse(corrected.text);
  if (again.ok) return { kind: 'answered', result: again.result, usage };
  return { kind: 'unusable', text: corrected.text, usage };
}

async function firstAnswer(
  model: TextModel,
  messages: readonly TextMessage[],
  { strict }: ResultSchema,
  signal: AbortSignal,
): Promise<{ readonly mode: AnswerMode; readonly answer: TextAnswer; readonly asked: readonly TextMessage[] }> {
  let last: unknown;
  for (const mode of ANSWER_MODES) {
    const asked = mode === 'json_schema' ? messages : withSchema(messages, strict);
    try {
      return { mode, asked, answer: await model.complete({ messages: asked, mode, schema: strict, signal }) };
    } catch (error) {
      if (!(error instanceof TextModelError) || error.fault !== 'mode_unsupported') throw error;
      last = error;
    }
  }
  throw new TextModelError('rejected', 'the model knows no mode of answering', { cause: last });
}

/** The schema stands with the instructions, before anything that a callee said. */
function withSchema(messages: readonly TextMessage[], schema: object): readonly TextMessage[] {
  const text = `Answer with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
  return messages.map((message) =>
    message.role === 'system' ? { ...message, content: `${message.content}\n\n${text}` } : message,
  );
}

function correctionOf(problems: readonly string[]): string {
  const list = problems.map((problem) => `- ${problem}`).join('\n');
  return `Your answer does not fit:\n${list}\nAnswer again with the whole JSON object and nothing else.`;
}

function sum(left: TextUsage, right: TextUsage): TextUsage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cachedInputTokens: left.cachedInputTokens + right.cachedInputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  };
}
