import { readEnv } from '../../shared/config/env.ts';

/** One api process: where it serves clients, and where it says that it lives. */
export interface FrontTarget {
  readonly host: string;
  readonly port: number;
  readonly internalPort: number;
}

export interface FrontConfig {
  readonly http: { readonly host: string; readonly port: number };
  readonly internal: { readonly host: string; readonly port: number };
  readonly targets: readonly FrontTarget[];
  readonly logLevel: string;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export function loadConfig(env: Readonly<Record<string, string | undefined>>): FrontConfig {
  const read = readEnv(env);
  const host = read.text('INTERNAL_HOST', '127.0.0.1');
  const config: FrontConfig = {
    http: {
      host: read.text('HOST', '127.0.0.1'),
      port: read.int('PORT', { fallback: 8080, min: 0, max: 65_535 }),
    },
    internal: { host, port: read.int('INTERNAL_PORT', { min: 0, max: 65_535 }) },
    targets: read.list('ANNALS_FRONT_TARGETS').map((target) => toTarget(host, target)),
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
  };
  read.done();
  return config;
}

/** `8081/9081`: the port for clients, and the internal one. */
function toTarget(host: string, target: string): FrontTarget {
  const [port, internalPort] = target.split('/').map(Number);
  return { host, port: port ?? 0, internalPort: internalPort ?? 0 };
}
