import { runService } from '../../shared/service/run-service.ts';
import { loadProjectorConfig } from './config.ts';
import { startProjector } from './start-projector.ts';

await runService({
  name: 'projector',
  env: process.env,
  loadConfig: loadProjectorConfig,
  start: startProjector,
});
