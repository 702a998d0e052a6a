import { loadCommandConfig } from '../../../services/command/config.ts';
import { loadDispatcherConfig } from '../../../services/dispatcher/config.ts';
import { loadProjectorConfig } from '../../../services/projector/config.ts';
import { ConfigurationError } from '../../../shared/config/env.ts';

/** Placeholders for settings that `npm start` provides unless the operator sets them. */
const provided = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  DATABASE_URL: 'postgres://127.0.0.1/annals',
  ANNALS_SECRET_KEY: '0'.repeat(64),
};
/** Settings that `npm start` always decides itself. */
const decided = { PORT: '8080', INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: '0' };

/** Returns settings that the services would reject, so that Kafka and Postgres are not started in vain. */
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
