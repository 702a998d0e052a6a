import type { EnvReader } from '../config/env.ts';
import {
  type AddressRange,
  canonicalHost,
  isInRange,
  parseAddress,
  parseRange,
} from './address-rules.ts';

/** A target that the operator allows: a name, or a range of addresses, on one port. */
export type AllowedTarget =
  | { readonly kind: 'name'; readonly name: string; readonly port: number }
  | { readonly kind: 'range'; readonly range: AddressRange; readonly port: number };

/** The operator's rules for where requests of webhooks or to OpenID Connect providers may go. */
export interface TargetSettings {
  readonly allowed: readonly AllowedTarget[];
  /** The allowed ports of public addresses. If empty, all ports are allowed. */
  readonly ports: readonly number[];
}

export function readTargetSettings(read: EnvReader): TargetSettings {
  return {
    allowed: readAllowed(read, 'WEBHOOK_ALLOWED_ADDRESSES'),
    ports: read.listOf('WEBHOOK_ALLOWED_PORTS', { parse: parsePort, form: '1 to 65535' }),
  };
}

/** Separate from the setting for webhooks, because users who register webhooks must not reach these addresses. */
export function readProviderTargets(read: EnvReader): TargetSettings {
  return { allowed: readAllowed(read, 'OIDC_ALLOWED_ADDRESSES'), ports: [] };
}

function readAllowed(read: EnvReader, name: string): readonly AllowedTarget[] {
  return read.listOf(name, {
    parse: parseAllowedTarget,
    form: 'host:port or CIDR:port, IPv6 in brackets',
  });
}

function parsePort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/**
 * Parses `example.com:8080`, `127.0.0.1:9000`, `10.0.0.0/8:443`, `[::1]:9000` or `[fd00::]/8:443`; returns undefined
 * for anything else.
 */
export function parseAllowedTarget(text: string): AllowedTarget | undefined {
  const [, spelled = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (port < 1 || port > 65_535) return undefined;
  const host = spelled.replace(/^\[([^\]]*)\](\/\d+)?$/, '$1$2');
  // Without brackets, a port cannot be distinguished from the last group of an address.
  if (host.includes(':') && host === spelled) return undefined;
  if (host.includes('/')) {
    const range = parseRange(host);
    return range && { kind: 'range', range, port };
  }
  const name = canonicalHost(host);
  if (name === undefined) return undefined;
  const address = parseAddress(name);
  if (address === undefined) return { kind: 'name', name, port };
  return { kind: 'range', range: [address, address.kind() === 'ipv4' ? 32 : 128], port };
}

export function isOpenedName(
  { host, port }: { readonly host: string; readonly port: number },
  allowed: readonly AllowedTarget[],
): boolean {
  return allowed.some((one) => one.kind === 'name' && one.name === host && one.port === port);
}

export function isOpenedAddress(
  { address, port }: { readonly address: string; readonly port: number },
  allowed: readonly AllowedTarget[],
): boolean {
  const parsed = parseAddress(address);
  return (
    parsed !== undefined &&
    allowed.some((one) => one.kind === 'range' && one.port === port && isInRange(parsed, one.range))
  );
}

/**
 * Returns true if any addresses are allowed on this port. A name then has to be resolved before it can be validated.
 */
export const mayOpenOn = (port: number, allowed: readonly AllowedTarget[]): boolean =>
  allowed.some((one) => one.kind === 'range' && one.port === port);
