import type { CallStatus, EndedReason } from '@outdial/contracts';
import {
  IconAlertTriangle,
  IconCalendarTime,
  IconCheck,
  IconClock,
  IconMicrophone,
  IconMinus,
  IconPhoneCalling,
  IconPhoneOutgoing,
  IconX,
  type Icon,
} from '@tabler/icons-react';
import { CALL_STATUS_WORDS } from '../words/call-status.ts';
import { ENDED_REASON_WORDS } from '../words/ended-reason.ts';
import type { Tone } from '../words/tone.ts';
import { ToneBadge } from './tone-badge.tsx';

const STATUS_ICONS: Readonly<Record<CallStatus, Icon>> = {
  scheduled: IconCalendarTime,
  queued: IconClock,
  dialing: IconPhoneOutgoing,
  ringing: IconPhoneCalling,
  in_progress: IconMicrophone,
  ended: IconCheck,
};

const TONE_ICONS: Readonly<Record<Tone, Icon>> = {
  neutral: IconMinus,
  active: IconPhoneOutgoing,
  live: IconMicrophone,
  good: IconCheck,
  warning: IconAlertTriangle,
  bad: IconX,
};

export function CallStatusBadge({ status }: { readonly status: CallStatus }) {
  const { label, tone } = CALL_STATUS_WORDS[status];
  const StatusIcon = STATUS_ICONS[status];
  return (
    <ToneBadge tone={tone} icon={<StatusIcon size={13} aria-hidden />}>
      {label}
    </ToneBadge>
  );
}

export function EndedReasonBadge({ reason }: { readonly reason: EndedReason }) {
  const { label, tone } = ENDED_REASON_WORDS[reason];
  const ReasonIcon = TONE_ICONS[tone];
  return (
    <ToneBadge tone={tone} icon={<ReasonIcon size={13} aria-hidden />}>
      {label}
    </ToneBadge>
  );
}
