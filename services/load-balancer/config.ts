import { ConfigurationError } from '../../shared/config/configuration-error.ts';
import { readEnv } from '../../shared/config/env.ts';

/** One api process: where it serves clients, and where it says that it lives. */
export interface TargetAddress {
  readonly host: string;
  readonly port: number;
  readonly internalPort: number;
}

export interface LoadBalancerConfig {
  readonly http: { readonly host: string; readonly port: number };
  readonly internal: { readonly host: string; readonly port: number };
  readonly targets: readonly TargetAddress[];
  readonly logLevel: string;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export function loadConfig(env: Readonly<Record<string, string | undefined>>): LoadBalancerConfig {
  const read = readEnv(env);
  const host = read.text('INTERNAL_HOST', '127.0.0.1');
  const config: LoadBalancerConfig = {
    http: {
      host: read.text('HOST', '127.0.0.1'),
      port: read.int('PORT', { fallback: 8080, min: 0, max: 65_535 }),
    },
    internal: { host, port: read.int('INTERNAL_PORT', { min: 0, max: 65_535 }) },
    targets: toTargets(read.list('ANNALS_FRONT_TARGETS'), host),
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
  };
  read.done();
  return config;
}

/** `8081/9081`, the port for clients and the internal one, or `host:8081/9081`. */
function toTargets(targets: readonly string[], ownHost: string): readonly TargetAddress[] {
  return targets.map((target) => {
    const [, host = ownHost, port, internalPort] =
      /^(?:([^:/]+):)?(\d{1,5})\/(\d{1,5})$/.exec(target) ?? [];
    if (port === undefined) {
      throw new ConfigurationError([
        `ANNALS_FRONT_TARGETS must hold entries such as 8081/9081 or api:8080/9090, got '${target}'`,
      ]);
    }
    return { host, port: Number(port), internalPort: Number(internalPort) };
  });
}
