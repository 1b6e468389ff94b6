import type { Turn } from '@outdial/contracts';
import type { StoredSettings } from '../ports/directory.ts';

/** Whether a call is to be analyzed: its agent asks for it, and the callee said something that was transcribed. */
export function wantsAnalysis(settings: StoredSettings, transcript: readonly Turn[] | null): boolean {
  if (settings.kind !== 'usable' || settings.settings.driver === 'scripted') return false;
  if (settings.settings.analysis === undefined || transcript === null) return false;
  return transcript.some(({ role, text }) => role === 'callee' && text !== null && text.trim() !== '');
}
