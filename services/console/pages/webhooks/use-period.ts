import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../api/session.ts';
import { settingsQuery } from '../../api/system.ts';
import { readPeriod } from './read-period.ts';

/** The milliseconds of a setting of the running processes; undefined for who may not see settings, and while nobody tells. */
export function usePeriod(name: string, isWanted = true): number | undefined {
  const { user } = useUser();
  const { data } = useQuery({ ...settingsQuery, enabled: isWanted && user.isAdmin });
  const settings = data?.processes.flatMap(({ told }) => told?.settings ?? []) ?? [];
  return readPeriod(settings.find((setting) => setting.name === name)?.value ?? '');
}
