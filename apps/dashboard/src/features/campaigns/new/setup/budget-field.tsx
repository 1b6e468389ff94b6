import { NumberInput } from '@mantine/core';
import { FieldGroup } from '../../../../shared/forms/field-group.tsx';
import { formatMoney } from '../../../../shared/format/numbers.ts';
import { useCampaignFormContext } from './form-context.ts';

interface BudgetFieldProps {
  readonly currency: string;
  /** Of the account. */
  readonly available: number;
}

/** What its calls may cost. */
export function BudgetField({ currency, available }: BudgetFieldProps) {
  const form = useCampaignFormContext();
  return (
    <FieldGroup
      title="Budget"
      description="The campaign pauses before a call that could cost more. Nothing is set aside beforehand: each call reserves its funds when it is dialed."
    >
      <NumberInput
        label={`Budget in ${currency}`}
        description={`Empty: no limit but your balance, of which ${formatMoney(available, currency)} is available now.`}
        placeholder="No limit"
        allowNegative={false}
        decimalScale={6}
        thousandSeparator=","
        {...form.getInputProps('budget')}
      />
    </FieldGroup>
  );
}
