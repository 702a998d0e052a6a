import { Navigate } from '@tanstack/react-router';
import { useMetadata } from '../api/metadata.ts';
import { NotFound } from '../parts/page/not-found.tsx';
import { pagesOf, tabsOf } from './tabs.ts';

/** Administrators start with the overview, other users with the first entity type that they may read. */
export function Home() {
  const metadata = useMetadata();
  const [page] = pagesOf(metadata);
  const [first] = tabsOf(metadata);
  if (page !== undefined && (first === undefined || page.to === '/overview')) {
    return <Navigate to={page.to} replace />;
  }
  if (first === undefined) return <NotFound />;
  return <Navigate to="/records/$entity" params={{ entity: first.name }} replace />;
}
