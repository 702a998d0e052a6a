import { join } from 'node:path';
import { runSupervisor } from './supervisor/run-supervisor.ts';
import { createTerminal } from './terminal.ts';

const root = join(import.meta.dirname, '..', '..');
const names = ['api', 'projector', 'dispatcher'] as const;

const code = await runSupervisor({
  env: process.env,
  front: join(import.meta.dirname, 'load-balancer', 'main.ts'),
  services: names.map((name) => ({ name, entry: join(root, 'services', name, 'main.ts') })),
  sourceRoot: process.argv.includes('--dev') ? root : undefined,
  terminal: createTerminal(process.stdout, process.stderr),
  signals: process,
  exit: process.exit,
});
// An explicit exit, because any open connection would keep the process running.
process.exit(code);
