import { Autocomplete } from '@mantine/core';
import type { Component } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { useAccount } from '../../../shared/session/account.ts';
import { modelChoices } from '../draft/model-choices.ts';
import { useConductedFormContext } from '../form-context.ts';
import { modelsQuery } from '../queries.ts';

interface ModelFieldProps {
  /** Of the model, in the form. */
  readonly path: string;
  readonly component: Component;
  readonly provider: string;
  readonly description: string;
}

/** The name of a model. It suggests what the operator offers; on a credential of the account any model may be named. */
export function ModelField({ path, component, provider, description }: ModelFieldProps) {
  const form = useConductedFormContext();
  const { account_id: accountId } = useAccount();
  const { data: offered } = useQuery(modelsQuery(accountId));
  return (
    <Autocomplete
      label="Model"
      description={description}
      data={offered === undefined ? [] : [...modelChoices(offered, { component, provider })]}
      {...form.getInputProps(`${path}.model`)}
    />
  );
}
