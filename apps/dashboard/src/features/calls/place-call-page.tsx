import { Page } from '../../shared/components/page.tsx';

export function PlaceCallPage() {
  return <Page title="Place a call">{null}</Page>;
}
