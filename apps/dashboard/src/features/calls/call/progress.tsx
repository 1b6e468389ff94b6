import type { CallBody, CallEventBody } from '@outdial/contracts';
import { CALL_STATUS_WORDS } from '../../../shared/words/call-status.ts';
import { progressSteps } from '../model/progress-steps.ts';
import classes from './progress.module.css';

interface ProgressProps {
  readonly call: CallBody;
  readonly events: readonly CallEventBody[];
}

/** The progress of an open call. It can end at any of these steps. */
export function Progress({ call, events }: ProgressProps) {
  const steps = progressSteps(call, events);
  const reached = steps.indexOf(call.status);
  return (
    <ol className={classes['steps']} aria-label="Call progress">
      {steps.map((status, index) => (
        <li
          key={status}
          className={classes['step']}
          data-state={index < reached ? 'done' : index === reached ? 'now' : 'ahead'}
          aria-current={index === reached ? 'step' : undefined}
        >
          {CALL_STATUS_WORDS[status].label}
        </li>
      ))}
    </ol>
  );
}
