import { runService } from '../../shared/runtime/run-service.ts';
import { loadConfig } from '../command/config.ts';
import { startCommand } from '../command/start-command.ts';
import { registerQueryRoutes } from '../query/http/routes.ts';

/** Commands and queries on one listener: what clients know as the API. */
await runService({
  name: 'api',
  env: process.env,
  loadConfig,
  start: (context) => startCommand(context, (server, deps) => registerQueryRoutes(server, deps)),
});
