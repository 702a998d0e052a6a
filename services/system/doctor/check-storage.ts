import type { StorageSettings } from '../../../shared/config/storage-settings.ts';
import { describeDisk, measureDisks } from '../status/measure-disks.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, warning, fault } = findingsAbout('disk');

const remedy = 'free some space, or move the data to a larger disk';

/** Checks the free space of Kafka and Postgres. */
export async function checkStorage(storage: StorageSettings): Promise<readonly Finding[]> {
  if (storage.paths.length === 0) {
    return [ok('of Kafka and Postgres is not monitored here (STORAGE_PATHS is empty)')];
  }
  const disks = await measureDisks(storage);
  return disks.map((disk) => {
    const says = `of ${disk.path} ${describeDisk(disk)}`;
    if (disk.isLow) return fault(says, remedy);
    return disk.isLowSoon ? warning(says, remedy) : ok(says);
  });
}
