import { callEventSchema } from '@outdial/contracts';
import { expect, it } from 'vitest';
import { presentEvent } from './present-event.ts';

it('an event has the documented body', () => {
  const body = presentEvent({ id: '17', atMs: Date.UTC(2026, 0, 1), type: 'ended', data: { sip_code: 486 } });
  expect(callEventSchema.parse(body)).toEqual({
    id: '17',
    at: '2026-01-01T00:00:00.000Z',
    type: 'ended',
    data: { sip_code: 486 },
  });
});
