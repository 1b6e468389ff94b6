import type { AuditEntryBody } from '@outdial/contracts';
import { formatCount } from '../../shared/format/numbers.ts';

/** The target of the action: its name if it has one, else its id or address. */
export function subjectText({ subject_name: name, subject_type: type, subject_id: id, data }: AuditEntryBody): string {
  const email = data['email'];
  if (type === 'invitation' && typeof email === 'string') return email;
  if (type === 'destination' && typeof data['prefix'] === 'string') return `+${data['prefix']}`;
  if (type === 'suppression') return suppressionText(data);
  if (type === 'policy' && typeof data['version'] === 'number') return `Version ${data['version']}`;
  return name ?? (type === 'account' || type === 'wallet' ? '' : id);
}

/** The log has no telephone numbers: it counts them, or has the reason. */
function suppressionText({ added, reason }: AuditEntryBody['data']): string {
  const words = typeof added === 'number' ? [added === 1 ? '1 number' : `${formatCount(added)} numbers`] : [];
  return [...words, ...(typeof reason === 'string' ? [`“${reason}”`] : [])].join(', ');
}
