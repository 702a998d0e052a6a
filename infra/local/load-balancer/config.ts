import { type EnvReader, readEnv } from '../../../shared/config/env.ts';
import { reportBadSecretKey } from '../../../shared/config/service-settings.ts';

/** The addresses of an api process: its port for clients, and its internal port for health checks. */
export interface TargetAddress {
  readonly host: string;
  readonly port: number;
  readonly internalPort: number;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export function loadBalancerConfig(env: Readonly<Record<string, string | undefined>>) {
  const read = readEnv(env);
  const host = read.text('INTERNAL_HOST', '127.0.0.1');
  const config = {
    http: {
      host: read.text('HOST', '127.0.0.1'),
      port: read.int('PORT', { fallback: 8080, min: 0, max: 65_535 }),
    },
    internal: { host, port: read.int('INTERNAL_PORT', { min: 0, max: 65_535 }) },
    targets: readTargets(read, host),
    secretKey: reportBadSecretKey(read, read.secret('ANNALS_SECRET_KEY')),
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
  };
  read.done();
  return config;
}

/** Parses targets on this host such as `8081/9081`: port for clients, internal port. */
function readTargets(read: EnvReader, host: string): readonly TargetAddress[] {
  return read.list('ANNALS_FRONT_TARGETS').flatMap((target) => {
    const [, port, internalPort] = /^(\d{1,5})\/(\d{1,5})$/.exec(target) ?? [];
    if (port === undefined) {
      read.problem(`ANNALS_FRONT_TARGETS must hold entries such as 8081/9081, got '${target}'`);
      return [];
    }
    return [{ host, port: Number(port), internalPort: Number(internalPort) }];
  });
}
