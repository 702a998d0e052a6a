import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../api/session.ts';
import { settingsQuery } from '../../api/system.ts';
import { readPeriod } from './read-period.ts';

/** Returns a period setting of the running processes in milliseconds; undefined without permission or while no process responds. */
export function usePeriod(name: string, isWanted = true): number | undefined {
  const { user } = useUser();
  const { data } = useQuery({ ...settingsQuery, enabled: isWanted && user.isAdmin });
  const settings = data?.processes.flatMap(({ told }) => told?.settings ?? []) ?? [];
  return readPeriod(settings.find((setting) => setting.name === name)?.value ?? '');
}
