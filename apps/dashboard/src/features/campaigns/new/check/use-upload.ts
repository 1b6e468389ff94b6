import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { campaignKey, campaignsKey } from '../../../../shared/account/campaigns.ts';
import { uploadQuery } from '../../queries.ts';
import type { UploadWithErrors } from '../../uploads/upload-report.tsx';
import { sendContacts } from '../queries.ts';

export type UploadState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly file: File; readonly sent: number }
  /** Nothing of the file was added. */
  | { readonly kind: 'stopped'; readonly file: File }
  | { readonly kind: 'failed'; readonly file: File; readonly error: unknown };

const IDLE: UploadState = { kind: 'idle' };

/** Sends one file at a time, and stops when the page is left. */
export function useUpload(accountId: string, onDone: (campaignId: string, report: UploadWithErrors) => void) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<UploadState>(IDLE);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  async function start(campaignId: string, file: File): Promise<void> {
    const own = new AbortController();
    controller.current = own;
    setState({ kind: 'sending', file, sent: 0 });
    try {
      const report = await sendContacts(accountId, {
        campaignId,
        file,
        onProgress: (sent) => setState({ kind: 'sending', file, sent }),
        signal: own.signal,
      });
      const key = { accountId, campaignId };
      queryClient.setQueryData(uploadQuery(key, report.number).queryKey, report);
      // Its contacts are counted again, and lists of campaigns show them.
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: campaignKey(key) }),
        queryClient.invalidateQueries({ queryKey: campaignsKey(accountId) }),
      ]);
      setState(IDLE);
      onDone(campaignId, report);
    } catch (error) {
      setState(own.signal.aborted ? { kind: 'stopped', file } : { kind: 'failed', file, error });
    }
  }

  return { state, start, stop: () => controller.current?.abort() };
}
export type Upload = ReturnType<typeof useUpload>;
