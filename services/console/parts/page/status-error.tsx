import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '../../api/system.ts';
import { LoadError } from './load-error.tsx';

/** Why the state of the installation cannot be told, while it cannot: a part of Annals is away. */
export function StatusError() {
  const { error, refetch } = useQuery(statusQuery);
  return error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />;
}
