/** As the AI SDK's provider takes it. */
interface ThinkingConfig {
  readonly thinkingBudget?: number;
  readonly thinkingLevel?: 'minimal' | 'low';
}

interface ModelChoice {
  readonly provider: string;
  readonly model: string;
}

/** The least that Gemini 2.5 Pro takes; it cannot do without. */
const LEAST_BUDGET_OF_PRO = 128;

/**
 * The least thinking that a model of Google permits: by default they think for seconds, while the callee waits. Null: the
 * model does not think, or its name does not say which it is, and the setting of another generation would be refused.
 * Source: https://ai.google.dev/gemini-api/docs/thinking
 */
export function leastThinking({ provider, model }: ModelChoice): ThinkingConfig | null {
  const [, version = '', kind = ''] = /^(?:models\/)?gemini-(\d+(?:\.\d+)?)-(flash|pro)/.exec(model) ?? [];
  if (provider !== 'google' || version === '') return null;
  if (Number(version) >= 3) return { thinkingLevel: kind === 'flash' ? 'minimal' : 'low' };
  if (version !== '2.5') return null;
  return { thinkingBudget: kind === 'flash' ? 0 : LEAST_BUDGET_OF_PRO };
}
