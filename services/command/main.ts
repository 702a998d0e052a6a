import { runService } from '../../shared/service/run-service.ts';
import { loadCommandConfig } from './config.ts';
import { registerCommandRoutes } from './routes.ts';
import { startCommand } from './start-command.ts';

/** The command side alone; reads are answered by `services/query` elsewhere. */
await runService({
  name: 'command',
  env: process.env,
  loadConfig: loadCommandConfig,
  start: (context) => startCommand(context, registerCommandRoutes),
});
