import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '../../api/system.ts';
import { LoadError } from './load-error.tsx';

/** Shows why the status of the installation is unavailable. Shows nothing while it is available. */
export function StatusError() {
  const { error, refetch } = useQuery(statusQuery);
  return error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />;
}
