import { runService } from '../../shared/service/run-service.ts';
import { loadDispatcherConfig } from './config.ts';
import { startDispatcher } from './start-dispatcher.ts';

await runService({
  name: 'dispatcher',
  env: process.env,
  loadConfig: loadDispatcherConfig,
  start: startDispatcher,
});
