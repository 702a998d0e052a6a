import { runService } from '../../shared/service/run-service.ts';
import { loadConfig } from '../command/config.ts';
import { startApi } from './start-api.ts';

await runService({ name: 'api', env: process.env, loadConfig, start: startApi });
