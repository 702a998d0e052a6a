import type { FastifyInstance } from 'fastify';
import type { ServiceSettings } from '../config/service-settings.ts';
import type { ShownSetting } from '../config/shown-settings.ts';
import { requireInternalToken } from '../http/server/internal-server.ts';
import { version } from '../runtime/version.ts';
import { createSecretBox } from '../secrets/secret-box.ts';

/** What a process runs with. */
export interface ProcessSettings {
  /** Of Annals. */
  readonly version: string;
  readonly nodeVersion: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly settings: readonly ShownSetting[];
}

export const settingsPath = '/internal/settings';

const MS_PER_SECOND = 1_000;

/** Answers what this process runs with, without secrets, to the others of the installation. */
export function tellSettings(
  server: FastifyInstance,
  { secretKey, shown }: Pick<ServiceSettings, 'secretKey' | 'shown'>,
): void {
  const requireToken = requireInternalToken(createSecretBox(secretKey).internalToken());
  const startedAt = new Date(Date.now() - process.uptime() * MS_PER_SECOND).toISOString();
  server.get(settingsPath, async (request): Promise<ProcessSettings> => {
    requireToken(request);
    return { version, nodeVersion: process.versions.node, startedAt, settings: shown() };
  });
}
