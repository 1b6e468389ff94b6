import type { Documented } from './documented.ts';

const pcm = Buffer.alloc(960).toString('base64');

/** Source: https://ai.google.dev/api/live#messages-server */
export const geminiLive: Documented = {
  conversation: [
    { setupComplete: { sessionId: 'session_001' } },
    { serverContent: { inputTranscription: { text: 'Is there a slot?', finished: true } } },
    {
      serverContent: {
        modelTurn: { role: 'model', parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: pcm } }] },
      },
    },
    { serverContent: { outputTranscription: { text: 'At nine.' } } },
    { toolCall: { functionCalls: [{ id: 'call_001', name: 'lookup', args: { day: 'Tuesday' } }] } },
    { serverContent: { generationComplete: true } },
    {
      serverContent: { turnComplete: true },
      usageMetadata: {
        promptTokenCount: 20,
        responseTokenCount: 9,
        totalTokenCount: 29,
        promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 20 }],
        responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 9 }],
      },
    },
  ],
  unused: [
    { sessionResumptionUpdate: { newHandle: 'handle_001', resumable: true } },
    { voiceActivity: { voiceActivityType: 'ACTIVITY_START' } },
    { serverContent: { groundingMetadata: { webSearchQueries: ['slots'], groundingChunks: [] } } },
    { serverContent: { urlContextMetadata: { urlMetadata: [] } } },
    { serverContent: { modelTurn: { parts: [{ text: 'I think about slots.', thought: true }] } } },
    { serverContent: { waitingForInput: true } },
  ],
  unknown: [{ mood: { name: 'calm' } }, { serverContent: { gestures: [{ name: 'nod' }] } }],
};
