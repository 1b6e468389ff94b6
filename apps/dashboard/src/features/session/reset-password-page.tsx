import { Page } from '../../shared/components/page.tsx';

export function ResetPasswordPage() {
  return <Page title="ResetPasswordPage">{null}</Page>;
}
