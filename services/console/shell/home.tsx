import { Navigate } from '@tanstack/react-router';
import { useMetadata } from '../api/metadata.ts';
import { NotFound } from '../parts/page/not-found.tsx';
import { tabsOf } from './tabs.ts';

/** The first entity type, until there is an overview. */
export function Home() {
  const [first] = tabsOf(useMetadata());
  if (first === undefined) return <NotFound />;
  return <Navigate to="/records/$entity" params={{ entity: first.name }} replace />;
}
