/** What was learnt of a store at the start. `away` says nothing yet: ask again. */
export type StoreCheckResult =
  | { readonly kind: 'usable' }
  | { readonly kind: 'away' }
  /** It answers, and will always refuse us; `reason` is for the person who named it. */
  | { readonly kind: 'unusable'; readonly reason: string };
