import { usageMicros, type ConductedCall } from '@outdial/calls';
import { micros, TRY_LIMITS, type Micros } from '@outdial/contracts';

/** What a try may cost at least, whatever the estimate says: some long answers. */
const COVERED_INPUT_TOKENS = 50_000;
const COVERED_OUTPUT_TOKENS = 5_000;

/** The most that a try may cost: what its model is expected to cost in its time. 0 on the account's own credential. */
export function holdOfTry(conducted: ConductedCall): Micros {
  const byTime = (conducted.estimateMicrosPerMinute * BigInt(TRY_LIMITS.seconds)) / 60n;
  const covered = conducted.models.reduce((sum, { component, provider, model }) => {
    const of = { component, provider, model };
    const cost = usageMicros(conducted, [
      { ...of, unit: 'input_text_token', quantity: COVERED_INPUT_TOKENS },
      { ...of, unit: 'output_text_token', quantity: COVERED_OUTPUT_TOKENS },
    ]);
    return sum + cost;
  }, 0n);
  return micros(byTime > covered ? byTime : covered);
}
