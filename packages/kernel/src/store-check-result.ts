/** The result of checking a store at startup. `away` is inconclusive: check again. */
export type StoreCheckResult =
  | { readonly kind: 'usable' }
  | { readonly kind: 'away'; readonly cause?: unknown }
  /** It answers, and will always reject this configuration; `reason` is for the operator. */
  | { readonly kind: 'unusable'; readonly reason: string };
