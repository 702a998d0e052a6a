import type { FastifyInstance } from 'fastify';
import type { ServiceSettings } from '../config/service-settings.ts';
import type { ShownSetting } from '../config/shown-settings.ts';
import { requireInternalToken } from '../http/server/internal-server.ts';
import { version } from '../runtime/version.ts';
import { createSecretBox } from '../secrets/secret-box.ts';

/** The versions and settings that a running process reports. */
export interface ProcessSettings {
  /** The version of Annals. */
  readonly version: string;
  readonly nodeVersion: string;
  /** In ISO 8601. */
  readonly startedAt: string;
  readonly settings: readonly ShownSetting[];
}

export const settingsPath = '/internal/settings';

const MS_PER_SECOND = 1_000;

/** Serves the settings of this process, without secrets, to the other processes of the installation. */
export function serveSettings(
  server: FastifyInstance,
  { secretKey, shown }: ServiceSettings,
): void {
  const requireToken = requireInternalToken(createSecretBox(secretKey).internalToken());
  const startedAt = new Date(Date.now() - process.uptime() * MS_PER_SECOND).toISOString();
  server.get(settingsPath, async (request): Promise<ProcessSettings> => {
    requireToken(request);
    return { version, nodeVersion: process.versions.node, startedAt, settings: shown() };
  });
}
