import type { ConductedSettings } from '@outdial/contracts';
import type { MindEvent, Tool } from '@outdial/minds';
import type { OpenedModel } from './messages.ts';
import type { ModelUses } from './model-use.ts';

/** What the mind of a call is opened with. */
export interface MindToOpen<Settings extends ConductedSettings = ConductedSettings> {
  readonly settings: Settings;
  /** With variables and knowledge filled in. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly models: readonly OpenedModel[];
  readonly uses: ModelUses;
  readonly listener: (event: MindEvent) => void;
}
