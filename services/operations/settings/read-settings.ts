import { withConnection } from '../../../shared/db/pool.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import {
  describeServices,
  type GroupedService,
  groupedServices,
} from '../../../shared/kafka/group/service-groups.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { type ProcessSettings, settingsPath } from '../../../shared/service/serve-settings.ts';
import type { Observed } from '../installation/observed.ts';

export interface RunningProcess {
  readonly service: GroupedService;
  /** Of its internal listener. */
  readonly address: string;
  /** What it runs with; null for one that does not answer. */
  readonly told: ProcessSettings | null;
}

export interface Settings {
  readonly postgresVersion: string;
  readonly processes: readonly RunningProcess[];
}

const ANSWER_WITHIN_MS = 5_000;

/**
 * What every process in the groups runs with, told by itself: nothing of it is kept anywhere. Throws Unavailable, also
 * where the key of the installation is not known, which proves to the processes who asks.
 */
export async function readSettings(observed: Observed): Promise<Settings> {
  const { secretKey } = observed;
  if (secretKey === undefined) {
    throw new Unavailable('the processes tell nothing without the key of the installation', {
      remedy: 'set ANNALS_SECRET_KEY, or name the data directory with --data-dir',
    });
  }
  const token = createSecretBox(secretKey).internalToken();
  const services = await describeServices(observed);
  const members = groupedServices.flatMap((service) =>
    services[service].members.map((address) => ({ service, address })),
  );
  const [postgresVersion, ...processes] = await Promise.all([
    readPostgresVersion(observed),
    ...members.map(async (member) => ({ ...member, told: await ask(member.address, token) })),
  ]);
  return { postgresVersion, processes };
}

async function ask(address: string, token: string): Promise<ProcessSettings | null> {
  try {
    const answer = await fetch(new URL(settingsPath, address), {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: 'error',
    });
    return answer.ok ? ((await answer.json()) as ProcessSettings) : null;
  } catch {
    return null;
  }
}

async function readPostgresVersion({ connect }: Observed): Promise<string> {
  return withConnection(connect, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? '';
  });
}
