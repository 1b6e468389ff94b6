import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useMemo } from 'react';

const MOST_SHOWN = 50;

/** A time zone by its IANA name. The service knows more names than the list has. */
export function ZoneField(props: Omit<AutocompleteProps, 'data'>) {
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  return <Autocomplete placeholder="America/Denver" autoComplete="off" limit={MOST_SHOWN} {...props} data={zones} />;
}
