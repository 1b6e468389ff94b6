/** What a provider would bill, as its own counting has it. */
export interface LedgerEntry {
  readonly component: 'realtime' | 'stt' | 'llm' | 'tts';
  readonly provider: string;
  /** `token` is the sum of all kinds. */
  readonly unit:
    | 'token'
    | 'input_text_token'
    | 'cached_input_text_token'
    | 'input_audio_token'
    | 'output_text_token'
    | 'second'
    | 'character'
    | 'request';
  readonly quantity: number;
}

export interface ProviderLedger {
  add(entry: LedgerEntry): void;
  /** Sums of each component, provider and unit. */
  totals(): readonly LedgerEntry[];
  readonly total: (filter: Partial<Pick<LedgerEntry, 'component' | 'provider' | 'unit'>>) => number;
}

export function createProviderLedger(): ProviderLedger {
  const entries: LedgerEntry[] = [];
  return {
    add: (entry) => void entries.push(entry),
    totals() {
      const sums = new Map<string, LedgerEntry>();
      for (const entry of entries) {
        const key = [entry.component, entry.provider, entry.unit].join();
        sums.set(key, { ...entry, quantity: (sums.get(key)?.quantity ?? 0) + entry.quantity });
      }
      return [...sums.values()];
    },
    total: ({ component, provider, unit }) =>
      entries
        .filter((entry) => component === undefined || entry.component === component)
        .filter((entry) => provider === undefined || entry.provider === provider)
        .filter((entry) => unit === undefined || entry.unit === unit)
        .reduce((sum, { quantity }) => sum + quantity, 0),
  };
}
