import { runService } from '../../shared/service/run-service.ts';
import { loadCommandConfig } from '../command/config.ts';
import { startApi } from './start-api.ts';

await runService({ name: 'api', env: process.env, loadConfig: loadCommandConfig, start: startApi });
