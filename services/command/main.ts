import { runService } from '../../shared/service/run-service.ts';
import { loadConfig } from './config.ts';
import { startCommand } from './start-command.ts';

/** The command side alone; reads are answered by `services/query` elsewhere. */
await runService({
  name: 'command',
  env: process.env,
  loadConfig,
  start: (context) => startCommand(context, () => undefined),
});
