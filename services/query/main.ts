import { runService } from '../../shared/service/run-service.ts';
import { loadQueryConfig } from './config.ts';
import { startQuery } from './start-query.ts';

await runService({
  name: 'query',
  env: process.env,
  loadConfig: loadQueryConfig,
  start: startQuery,
});
