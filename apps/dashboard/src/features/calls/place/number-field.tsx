import { Autocomplete, Text, type AutocompleteProps } from '@mantine/core';
import type { ServiceBody } from '@outdial/contracts';
import { formatPhoneNumber } from '../../../shared/format/numbers.ts';

interface NumberFieldProps extends Pick<AutocompleteProps, 'error' | 'value' | 'onBlur' | 'onFocus'> {
  readonly testNumbers: ServiceBody['test_numbers'];
  readonly onChange: (value: string) => void;
}

/** Whom to call. Where calls go to the simulated network, its numbers are offered with what each of them does. */
export function NumberField({ testNumbers, ...input }: NumberFieldProps) {
  const behaviours = new Map<string, string>(testNumbers.map(({ number, behaviour }) => [number, behaviour]));
  const hasTests = testNumbers.length > 0;
  return (
    <Autocomplete
      {...input}
      label="Number to call"
      description={
        hasTests
          ? 'Calls go to a simulated telephone network here. Choose one of its numbers to see what it does.'
          : 'With its country code, such as +1 202 555 0143.'
      }
      placeholder="+1 202 555 0100"
      type="tel"
      autoComplete="off"
      required
      withAsterisk={false}
      data={testNumbers.map(({ number }) => number)}
      filter={({ options, search }) =>
        options.filter(
          (option) =>
            !('group' in option) && `${option.value} ${behaviours.get(option.value) ?? ''}`.includes(search.trim()),
        )
      }
      renderOption={({ option: { value } }) => (
        <div>
          <Text size="sm" className="tabular">
            {formatPhoneNumber(value)}
          </Text>
          <Text size="xs" c="dimmed">
            {behaviours.get(value)}
          </Text>
        </div>
      )}
      maxDropdownHeight={320}
    />
  );
}
