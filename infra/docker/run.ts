#!/usr/bin/env node
/**
 * Entry point of the image, `annals <name>`: runs a service, a program in this folder, or one of the operators'
 * commands.
 */
import { hostname } from 'node:os';

const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  api: async () => import('../../services/api/main.ts'),
  query: async () => import('../../services/query/main.ts'),
  projector: async () => import('../../services/projector/main.ts'),
  dispatcher: async () => import('../../services/dispatcher/main.ts'),
  setup: async () => import('./setup.ts'),
  access: async () => import('./access.ts'),
};

// A container listens on every address; other containers reach it by its host name.
process.env['INTERNAL_ADVERTISED_HOST'] ||= hostname();

const runCli = async (): Promise<unknown> => import('../cli/main.ts');
const run = programs[process.argv[2] ?? ''] ?? runCli;
await run();
