import { isIP } from 'node:net';
import { canonicalHost, forbiddenReason, isLocalName } from './address-rules.ts';
import {
  isOpenedAddress,
  isOpenedName,
  mayOpenOn,
  type TargetSettings,
} from './allowed-targets.ts';

export interface TargetRules extends TargetSettings {
  /** The addresses of this machine now. */
  ownAddresses(): readonly string[];
}

/** The target of a connection; `host` is canonical. */
export interface Target {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
}

/** `valid`: unusable for a webhook, whatever the operator allows. `notInternal`: the operator could open it. */
interface RefusedTarget {
  readonly kind: 'refused';
  readonly problem: 'valid' | 'notInternal';
  readonly reason: string;
}

export type TargetVerdict =
  | RefusedTarget
  /** An address that may be connected to. */
  | { readonly kind: 'address'; readonly address: string }
  /** A name whose addresses have to be judged. */
  | { readonly kind: 'name'; readonly target: Target }
  /** A name that the operator opened, wherever it leads. */
  | { readonly kind: 'opened name'; readonly name: string };

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Judges a url as far as possible without asking a name server. */
export function judgeUrl(url: string, rules: TargetRules): TargetVerdict {
  const parsed = URL.parse(url);
  if (parsed === null) return refused('valid', 'it is no url');
  const { username, password, protocol, port, hostname } = parsed;
  if (username !== '' || password !== '') return refused('valid', 'it holds user info');
  return judgeTarget({ protocol, host: hostname, port }, rules);
}

/** The same for a connection, when only its target is known. */
export function judgeTarget(
  spelled: { readonly protocol: string; readonly host: string; readonly port: string },
  rules: TargetRules,
): TargetVerdict {
  const { protocol } = spelled;
  const port = spelled.port === '' ? defaultPorts[protocol] : Number(spelled.port);
  const host = canonicalHost(spelled.host);
  if (port === undefined) return refused('valid', 'it is neither https nor http');
  if (host === undefined) return refused('valid', 'its host is no name and no address');
  const target: Target = { protocol, host, port };
  if (isOpenedName(target, rules.allowed)) return { kind: 'opened name', name: host };
  if (isIP(host) !== 0) return judgeLiteral(target, rules);
  if (isLocalName(host)) return refused('notInternal', 'it names this machine');
  const needless = needsOpening(target, rules);
  if (needless !== undefined && !mayOpenOn(port, rules.allowed)) {
    return refused('notInternal', needless);
  }
  return { kind: 'name', target };
}

/** Why no connection may be made to an address of a target; undefined if it may. */
export function judgeAddress(
  address: string,
  target: Target,
  rules: TargetRules,
): string | undefined {
  if (isOpenedAddress({ address, port: target.port }, rules.allowed)) return undefined;
  const kind = forbiddenReason(address, rules.ownAddresses());
  if (kind === undefined) return needsOpening(target, rules);
  return address === target.host ? `its host is ${kind}` : `its name leads to ${kind}`;
}

function judgeLiteral(target: Target, rules: TargetRules): TargetVerdict {
  const reason = judgeAddress(target.host, target, rules);
  if (reason === undefined) return { kind: 'address', address: target.host };
  return refused('notInternal', reason);
}

/** Targets that only the operator can open, wherever they lead. */
function needsOpening({ protocol, port }: Target, { ports }: TargetRules): string | undefined {
  if (protocol !== 'https:') return 'it is not https';
  const isOpen = ports.length === 0 || ports.includes(port);
  return isOpen ? undefined : `port ${port} is not open`;
}

function refused(problem: RefusedTarget['problem'], reason: string): RefusedTarget {
  return { kind: 'refused', problem, reason };
}
