import { Text } from '@mantine/core';
import type { Place } from '@outdial/numbering';
import { useEffect, useState } from 'react';
import { readNumber } from '../../../shared/forms/read-number.ts';
import { useNow } from '../../../shared/hooks/use-now.ts';
import { calleeTimeWords } from '../model/callee-time-words.ts';

/** The time where the number is. Nothing while the number is incomplete, or where its place is unknown. */
export function CalleeTime({ number }: { readonly number: string }) {
  const place = usePlace(readNumber(number) ?? undefined);
  return place === null || place.zones.length === 0 ? null : <Line place={place} />;
}

function Line({ place }: { readonly place: Place }) {
  const words = calleeTimeWords(place, useNow());
  // Closer to the number than fields are to each other: the form's gap is `md`.
  return (
    <Text size="sm" c="dimmed" className="tabular" mt="calc(-0.5 * var(--mantine-spacing-md))">
      {words}
    </Text>
  );
}

/** The table of places is loaded with the first complete number. Without it the form works as well. */
function usePlace(e164: string | undefined): Place | null {
  const [found, setFound] = useState<{ readonly e164: string; readonly place: Place } | null>(null);
  useEffect(() => {
    if (e164 === undefined) return;
    import('@outdial/numbering').then(
      ({ placeOf }) => setFound({ e164, place: placeOf(e164) }),
      () => undefined,
    );
  }, [e164]);
  return found !== null && found.e164 === e164 ? found.place : null;
}
