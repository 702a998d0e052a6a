import { Navigate } from '@tanstack/react-router';
import { useMetadata } from '../api/metadata.ts';
import { NotFound } from '../parts/page/not-found.tsx';
import { pagesOf, tabsOf } from './tabs.ts';

/** Administrators begin with what goes on in all of Annals, others with what they have records of. */
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
