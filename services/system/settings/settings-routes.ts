import type { FastifyInstance } from 'fastify';
import { settingSources } from '../../../shared/config/shown-settings.ts';
import { flag, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import {
  describeSystemRoute,
  readOperator,
  type SystemRouteDeps,
} from '../../../shared/http/system-route.ts';
import { groupedServices } from '../../../shared/kafka/group/service-groups.ts';
import { createShared } from '../../../shared/runtime/share-answers.ts';
import { readSettings, type Settings } from './read-settings.ts';

const KEPT_MS = 1_000;

/** `GET System/settings`: the settings of every process, for administrators (docs/reference/system.md). */
export function registerSettingsRoutes(server: FastifyInstance, deps: SystemRouteDeps): void {
  const settings = createShared<Settings>(KEPT_MS, () => readSettings(deps.observed));

  server.get('/api/v1/System/settings', readingSettings, async (request) => {
    await readOperator(deps, request);
    return settings();
  });
}

const processSettings = objectOf({
  version: text,
  nodeVersion: text,
  startedAt: text,
  settings: {
    type: 'array',
    items: objectOf({
      name: { ...text, description: 'The environment variable.' },
      value: {
        ...nullableText,
        description: 'Null for a secret, and for a setting without a value.',
      },
      isSecret: flag,
      source: { enum: settingSources },
    }),
  },
});

const readingSettings = describeSystemRoute({
  id: 'System_settings',
  summary: 'Read the settings and versions of every process, without secrets',
  description:
    'The same as `annals settings --json`. For administrators; the response may be a second old. The source of a secret says whether it is set: `unset` if it is not.',
  answer: objectOf({
    postgresVersion: text,
    processes: {
      type: 'array',
      items: objectOf({
        service: { enum: groupedServices },
        address: text,
        told: {
          anyOf: [processSettings, { type: 'null' }],
          description: 'Null for a process that does not respond.',
        },
      }),
    },
  }),
});
