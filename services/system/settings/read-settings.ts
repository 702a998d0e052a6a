import { withConnection } from '../../../shared/db/pool.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import {
  describeServices,
  type GroupedService,
  groupedServices,
} from '../../../shared/kafka/group/service-groups.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { type ProcessSettings, settingsPath } from '../../../shared/service/serve-settings.ts';

export interface RunningProcess {
  readonly service: GroupedService;
  /** The address of its internal listener. */
  readonly address: string;
  /** The settings and versions of the process; null if it does not respond. */
  readonly told: ProcessSettings | null;
}

export type Settings = Awaited<ReturnType<typeof readSettings>>;

const TIMEOUT_MS = 5_000;

/**
 * Requests the settings of every process in the groups from the process itself, because they are not stored anywhere.
 * The installation's key authenticates the requests. Throws Unavailable if Kafka does not respond or the key is
 * missing.
 */
export async function readSettings(observed: Observed) {
  const { secretKey } = observed;
  if (secretKey === undefined) {
    throw new Unavailable("settings cannot be read without the installation's key", {
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
    ...members.map(async (member) => ({ ...member, told: await request(member.address, token) })),
  ]);
  return { postgresVersion, processes };
}

async function request(address: string, token: string): Promise<ProcessSettings | null> {
  try {
    const answer = await fetch(new URL(settingsPath, address), {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
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
