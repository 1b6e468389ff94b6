import { Autocomplete, Text, type AutocompleteProps } from '@mantine/core';
import type { ServiceBody } from '@outdial/contracts';
import { formatPhoneNumber } from '../../../shared/format/numbers.ts';

interface NumberFieldProps extends Pick<AutocompleteProps, 'error' | 'value' | 'onBlur' | 'onFocus'> {
  readonly testNumbers: ServiceBody['test_numbers'];
  readonly onChange: (value: string) => void;
}

/** The number to call. On the simulated network it suggests test numbers with their behavior. */
export function NumberField({ testNumbers, ...input }: NumberFieldProps) {
  const behaviors = new Map<string, string>(testNumbers.map(({ number, behaviour }) => [number, behaviour]));
  const hasTests = testNumbers.length > 0;
  return (
    <Autocomplete
      {...input}
      label="Number to call"
      description={
        hasTests
          ? 'Calls go to a simulated phone network, where only test numbers answer. Choose one to see how it behaves.'
          : 'Include the country code, such as +1 202 555 0143.'
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
            !('group' in option) && `${option.value} ${behaviors.get(option.value) ?? ''}`.includes(search.trim()),
        )
      }
      renderOption={({ option: { value } }) => (
        <div>
          <Text size="sm" className="tabular">
            {formatPhoneNumber(value)}
          </Text>
          <Text size="xs" c="dimmed">
            {behaviors.get(value)}
          </Text>
        </div>
      )}
      maxDropdownHeight={320}
    />
  );
}
