import { loadCommandConfig } from '../../../services/command/config.ts';
import { loadDispatcherConfig } from '../../../services/dispatcher/config.ts';
import { loadProjectorConfig } from '../../../services/projector/config.ts';
import { ConfigurationError } from '../../../shared/config/configuration-error.ts';

/** What a start finds out or makes, unless the operator names it. */
const provided = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  DATABASE_URL: 'postgres://127.0.0.1/annals',
  ANNALS_SECRET_KEY: '0'.repeat(64),
};
/** What a start decides, whatever the environment says, or reads itself. */
const decided = { PORT: '8080', INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: '0' };

/**
 * What the services would refuse of the environment that is passed on to them. Else Kafka and Postgres would be started
 * for services that do not start.
 */
export function findServiceProblems(env: NodeJS.ProcessEnv): readonly string[] {
  const isGiven = (name: string): boolean =>
    Boolean(env[name]?.trim() || env[`${name}_FILE`]?.trim());
  const assumed = Object.entries(provided).filter(([name]) => !isGiven(name));
  const environment = { ...env, ...Object.fromEntries(assumed), ...decided };
  return [loadCommandConfig, loadDispatcherConfig, loadProjectorConfig].flatMap((load) => {
    try {
      load(environment);
      return [];
    } catch (error) {
      if (error instanceof ConfigurationError) return error.problems;
      throw error;
    }
  });
}
