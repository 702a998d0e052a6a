import { type CustomPrefix, customPrefixes } from '../domain/directory/custom-prefix.ts';
import type { TokenLifetime } from '../domain/login/auth-token.ts';
import type { EnvReader } from './env.ts';
import { type MailSettings, readMailSettings, readPublicUrl } from './mail-settings.ts';

/** The settings of services that clients use, in addition to ServiceSettings. */
export interface HttpSettings {
  readonly http: { readonly host: string; readonly port: number };
  /** Load balancers whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /**
   * True if every connection starts with a PROXY protocol header that contains the client's address; `signed` if the
   * header also contains a signature by one of this installation's load balancers.
   */
  readonly proxyProtocol: (typeof proxyProtocols)[number];
  /** Limit per user, and per address for requests without a user; 0 means no limit. */
  readonly requestsPerSecond: number;
  /** How long a stopping process still serves requests, so that load balancers notice that it stops. */
  readonly drainMs: number;
  /** True if metrics are served not only on the internal port, but also on the API's port. */
  readonly showsMetrics: boolean;
  /** Origins whose pages may call the API. If empty, CORS is disabled. */
  readonly corsOrigins: readonly string[];
  readonly tokenLifetime: TokenLifetime;
  /** The address of the console, without a slash at the end; undefined if not set. */
  readonly publicUrl: string | undefined;
  /** Undefined if the installation sends no e-mail. */
  readonly mail: MailSettings | undefined;
  /** The address that receives faults, which may contain a secret; undefined if not set. */
  readonly faultsUrl: string | undefined;
  /** Determines which names of custom types and fields a new installation prefixes; undefined if not set. */
  readonly customPrefix: CustomPrefix | undefined;
}

const proxyProtocols = ['false', 'true', 'signed'] as const;

export function readHttpSettings(read: EnvReader): HttpSettings {
  const publicUrl = readPublicUrl(read);
  return {
    http: {
      host: read.text('HOST', '127.0.0.1'),
      port: read.int('PORT', { fallback: 8080, min: 0, max: 65_535 }),
    },
    trustedProxies: read.networks('TRUSTED_PROXIES'),
    proxyProtocol: read.choice('ANNALS_PROXY_PROTOCOL', proxyProtocols, 'false'),
    requestsPerSecond: read.int('API_RATE_LIMIT', { fallback: 0, min: 0, max: 1_000_000 }),
    drainMs: read.durationMs('DRAIN_TIME', { fallback: '500ms', max: '60s' }),
    showsMetrics: read.boolean('API_METRICS', false),
    corsOrigins: read.list('API_CORS_ORIGINS', []),
    mail: readMailSettings(read, publicUrl),
    publicUrl,
    faultsUrl: readFaultsUrl(read),
    customPrefix: read.optionalChoice('API_CUSTOM_PREFIX', customPrefixes),
    tokenLifetime: {
      maxIdleMs: read.durationMs('AUTH_TOKEN_MAX_IDLE_TIME', { fallback: '48h' }),
      maxAgeMs: read.durationMs('AUTH_TOKEN_LIFETIME', { fallback: '0' }),
    },
  };
}

function readFaultsUrl(read: EnvReader): string | undefined {
  const text = read.optionalSecret('FAULTS_WEBHOOK_URL');
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '') return url.href;
  read.problem('FAULTS_WEBHOOK_URL must be an http or https address without a user name');
  return undefined;
}
