import { runService } from '../../shared/service/run-service.ts';
import { loadCommandConfig } from './config.ts';
import { registerCommandRoutes } from './features.ts';
import { startCommand } from './start-command.ts';

/** Starts the command side alone. Reads are served by `services/query` in another process. */
await runService({
  name: 'command',
  env: process.env,
  loadConfig: loadCommandConfig,
  start: (context) => startCommand(context, registerCommandRoutes),
});
