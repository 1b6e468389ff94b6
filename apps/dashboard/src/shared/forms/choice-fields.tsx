import { Select } from '@mantine/core';
import type { AgentSummaryBody, PhoneNumberBody } from '@outdial/contracts';
import type { ReactNode } from 'react';
import { formatPhoneNumber } from '../format/numbers.ts';

/** The props that a form passes to a custom field. */
interface FieldProps {
  readonly value?: string;
  readonly error?: ReactNode;
  readonly onChange: (value: string) => void;
}

export function AgentField({
  agents,
  onChange,
  value,
  ...input
}: FieldProps & { readonly agents: readonly AgentSummaryBody[] }) {
  return (
    <Select
      {...input}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      label="Agent"
      placeholder="Choose an agent"
      data={agents.map(({ id, name, problem }) => ({ value: id, label: name, disabled: problem !== null }))}
      searchable
      nothingFoundMessage="No agents found"
      allowDeselect={false}
    />
  );
}

export function FromField({
  numbers,
  onChange,
  value,
  ...input
}: FieldProps & { readonly numbers: readonly PhoneNumberBody[] }) {
  const defaultNumber = numbers.find(({ is_default: isDefault }) => isDefault) ?? numbers[0];
  return (
    <Select
      {...input}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      label="Call from"
      placeholder={
        defaultNumber === undefined ? 'System number' : `${formatPhoneNumber(defaultNumber.number)} (default)`
      }
      data={numbers.map(({ number }) => ({ value: number, label: formatPhoneNumber(number) }))}
      clearable
    />
  );
}
