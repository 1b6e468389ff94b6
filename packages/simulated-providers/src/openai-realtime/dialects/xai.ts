import type { Address } from '../../http/endpoints.ts';
import { isSimulatedKey, quotedKey, type Refusal } from '../../http/refusal.ts';
import type { ServerMessage } from '../server-message.ts';
import type { SimulatedDialect } from './dialect.ts';
import { modelRefusal } from './openai.ts';
import { xaiClientEvents } from './xai-events.ts';

const refusal = (status: number, error: string): Refusal => ({
  status,
  body: { code: 'Client specified an invalid argument', error },
});

export function xaiAccess({ headers }: Address, model: string | null): Refusal | null {
  const key = (headers.authorization ?? '').replace(/^Bearer /, '');
  if (!isSimulatedKey(key)) return refusal(400, `Incorrect API key provided: ${quotedKey(key)}.`);
  return modelRefusal(model, refusal(401, 'The credentials are not valid.'));
}

/** No times of speech, words that grow and are completed more than once, items after others that it never named. */
function shape(message: ServerMessage): readonly object[] {
  const { type } = message;
  if (type === 'session.created') return [{ type: 'conversation.created' }, message];
  if (type === 'session.updated') return [message, { type: 'ping' }];
  if (type === 'conversation.item.added') return [{ ...message, previous_item_id: 'item_of_no_message' }];
  if (type === 'conversation.item.done') return [];
  if (type === 'input_audio_buffer.speech_started' || type === 'input_audio_buffer.speech_stopped') {
    return [{ type, item_id: message.item_id }];
  }
  if (type === 'conversation.item.input_audio_transcription.completed') {
    const { usage: _usage, ...completed } = message;
    return [{ ...completed, type: 'conversation.item.input_audio_transcription.updated' }, completed, completed];
  }
  if (type !== 'response.done') return [message];
  return [{ ...message, response: { ...message.response, status_details: 'unimplemented' } }];
}

/** `/xai/v1/realtime`: xAI's own path is that of OpenAI, at another host. */
export const xai: SimulatedDialect = {
  provider: 'xai',
  path: /^\/xai\/v1\/realtime$/,
  access: xaiAccess,
  clientEvents: xaiClientEvents,
  shape,
  billedBy: 'time',
  leavesCancelledOpen: true,
};
