import { type CustomPrefix, customPrefixes } from '../domain/directory/custom-prefix.ts';
import type { TokenLifetime } from '../domain/login/auth-token.ts';
import type { EnvReader } from './env.ts';

/** The settings of a service that clients talk to, beside ServiceSettings. */
export interface HttpSettings {
  readonly http: { readonly host: string; readonly port: number };
  /** Load balancers whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /**
   * Whether every connection begins with a PROXY protocol header, which has the client's address; `signed`: and with the
   * signature of a load balancer of this installation.
   */
  readonly proxyProtocol: (typeof proxyProtocols)[number];
  /** Per user, and per address for requests without a user; 0 is no limit. */
  readonly requestsPerSecond: number;
  /** Whether metrics are served on the API's port too, as they are on the internal port. */
  readonly showsMetrics: boolean;
  /** Origins whose pages may call the API; if empty, there is no CORS at all. */
  readonly corsOrigins: readonly string[];
  readonly tokenLifetime: TokenLifetime;
  /** The prefixes of a new installation; undefined if not set. */
  readonly customPrefix: CustomPrefix | undefined;
}

const proxyProtocols = ['false', 'true', 'signed'] as const;

export function readHttpSettings(read: EnvReader): HttpSettings {
  return {
    http: {
      host: read.text('HOST', '127.0.0.1'),
      port: read.int('PORT', { fallback: 8080, min: 0, max: 65_535 }),
    },
    trustedProxies: read.networks('TRUSTED_PROXIES'),
    proxyProtocol: read.choice('ANNALS_PROXY_PROTOCOL', proxyProtocols, 'false'),
    requestsPerSecond: read.int('API_RATE_LIMIT', { fallback: 0, min: 0, max: 1_000_000 }),
    showsMetrics: read.boolean('API_METRICS', false),
    corsOrigins: read.list('API_CORS_ORIGINS', []),
    customPrefix: read.optionalChoice('API_CUSTOM_PREFIX', customPrefixes),
    tokenLifetime: {
      maxIdleMs: read.durationMs('AUTH_TOKEN_MAX_IDLE_TIME', { fallback: '48h' }),
      maxAgeMs: read.durationMs('AUTH_TOKEN_LIFETIME', { fallback: '0' }),
    },
  };
}
