import type { Component } from '@outdial/contracts';

/** What a model does in a call. */
export const COMPONENT_WORDS: Readonly<Record<Component, string>> = {
  realtime: 'Speech-to-speech model',
  stt: 'Speech to text',
  llm: 'Language model',
  tts: 'Text to speech',
};
