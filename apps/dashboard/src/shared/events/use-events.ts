import { useDocumentVisibility } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { sessionQuery } from '../session/session.ts';
import { followEvents, type StreamState } from './follow-events.ts';
import type { StreamEvent } from './parse-events.ts';

interface EventsOptions {
  /** Below `/api/dashboard`. Null follows nothing. A new path starts over. */
  readonly path: string | null;
  readonly onEvent: (event: StreamEvent) => void;
}

/**
 * Follows a stream of events while the page is visible. A hidden page closes its connection, because a browser has six
 * for all tabs, and resumes after its last event when it becomes visible.
 */
export function useEvents({ path, onEvent }: EventsOptions): StreamState {
  const isVisible = useDocumentVisibility() !== 'hidden';
  const queryClient = useQueryClient();
  const [state, setState] = useState<StreamState>('connecting');
  const last = useRef<{ readonly path: string; readonly id: string } | null>(null);

  const onStreamEvent = useEffectEvent((event: StreamEvent) => {
    if (path !== null && event.id !== null) last.current = { path, id: event.id };
    onEvent(event);
  });

  useEffect(() => {
    if (path === null || !isVisible) return undefined;
    return followEvents({
      path,
      after: last.current?.path === path ? last.current.id : undefined,
      onEvent: onStreamEvent,
      onState: setState,
      onRejected: (error) => {
        if (error.status === 401) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      },
    });
  }, [path, isVisible, queryClient]);

  return path === null ? 'over' : state;
}
