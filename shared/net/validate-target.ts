import { isIP } from 'node:net';
import { canonicalHost, forbiddenReason, isLocalName } from './address-rules.ts';
import {
  isOpenedAddress,
  isOpenedName,
  mayOpenOn,
  type TargetSettings,
} from './allowed-targets.ts';

export interface TargetRules extends TargetSettings {
  /** Returns the current addresses of this machine. */
  ownAddresses(): readonly string[];
}

/** The target of a connection; `host` is canonical. */
export interface Target {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
}

/**
 * `valid`: never acceptable for a webhook. `notInternal`: the operator could allow it. Both are names of validations in
 * the API.
 */
interface RefusedTarget {
  readonly kind: 'refused';
  readonly problem: 'valid' | 'notInternal';
  readonly reason: string;
}

export type TargetVerdict =
  | RefusedTarget
  /** An address to which connections are allowed. */
  | { readonly kind: 'address'; readonly address: string }
  /** A name whose addresses still have to be validated. */
  | { readonly kind: 'name'; readonly target: Target }
  /** A name that the operator allowed, regardless of its addresses. */
  | { readonly kind: 'opened name'; readonly name: string };

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Validates a URL as far as possible without name resolution. */
export function validateUrl(url: string, rules: TargetRules): TargetVerdict {
  const parsed = URL.parse(url);
  if (parsed === null) return refused('valid', 'it is not a URL');
  const { username, password, protocol, port, hostname } = parsed;
  if (username !== '' || password !== '') return refused('valid', 'it contains user info');
  return validateTarget({ protocol, host: hostname, port }, rules);
}

/** Like validateUrl, for a connection whose URL is not known. */
export function validateTarget(
  spelled: { readonly protocol: string; readonly host: string; readonly port: string },
  rules: TargetRules,
): TargetVerdict {
  const { protocol } = spelled;
  const port = spelled.port === '' ? defaultPorts[protocol] : Number(spelled.port);
  const host = canonicalHost(spelled.host);
  if (port === undefined) return refused('valid', 'it is neither https nor http');
  if (host === undefined) return refused('valid', 'its host is neither a name nor an address');
  const target: Target = { protocol, host, port };
  if (isOpenedName(target, rules.allowed)) return { kind: 'opened name', name: host };
  if (isIP(host) !== 0) return validateLiteral(target, rules);
  if (isLocalName(host)) return refused('notInternal', 'it names this machine');
  const problem = needsOpening(target, rules);
  if (problem !== undefined && !mayOpenOn(port, rules.allowed)) {
    return refused('notInternal', problem);
  }
  return { kind: 'name', target };
}

/** Returns why connections to an address of a target are forbidden; undefined if they are allowed. */
export function findAddressProblem(
  address: string,
  target: Target,
  rules: TargetRules,
): string | undefined {
  if (isOpenedAddress({ address, port: target.port }, rules.allowed)) return undefined;
  const kind = forbiddenReason(address, rules.ownAddresses());
  if (kind === undefined) return needsOpening(target, rules);
  return address === target.host ? `its host is ${kind}` : `its name resolves to ${kind}`;
}

function validateLiteral(target: Target, rules: TargetRules): TargetVerdict {
  const reason = findAddressProblem(target.host, target, rules);
  if (reason === undefined) return { kind: 'address', address: target.host };
  return refused('notInternal', reason);
}

/**
 * Returns why only the operator can allow the target, regardless of its addresses; undefined if the rules for public
 * addresses suffice.
 */
function needsOpening({ protocol, port }: Target, { ports }: TargetRules): string | undefined {
  if (protocol !== 'https:') return 'it is not https';
  const isOpen = ports.length === 0 || ports.includes(port);
  return isOpen ? undefined : `port ${port} is not allowed`;
}

function refused(problem: RefusedTarget['problem'], reason: string): RefusedTarget {
  return { kind: 'refused', problem, reason };
}
