import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Which targets requests of the installation may have (webhooks.md section 6). */
export interface AddressGuard {
  /** Why no request may go to a url, whatever its name resolves to; undefined if one may. */
  refusalOf(url: URL): string | undefined;
  /** Whether a connection to this address is allowed, for a url with this host and port. */
  allows(target: Target, address: string): boolean;
}

/** As `new URL` spells it: IPv6 in brackets, IPv4 in four decimal numbers, names in lower case and Punycode. */
export interface Target {
  readonly hostname: string;
  readonly port: number;
}

const forbiddenV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
];
/** What of IPv6 is the public internet, and what of that is not after all. */
const publicV6 = ['2000::/3'];
const forbiddenV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const usualPorts: ReadonlySet<number> = new Set([443, 8443]);

export function createAddressGuard(
  allowed: readonly AllowedTarget[],
  ownAddresses: readonly string[] = addressesOfThisHost(),
): AddressGuard {
  const forbidden = listOf([...forbiddenV4, ...forbiddenV6]);
  for (const own of ownAddresses) forbidden.addAddress(own, familyOf(own));
  const open = listOf(publicV6);

  const isPublic = (address: string) => {
    const family = familyOf(address);
    if (forbidden.check(address, family)) return false;
    return family === 'ipv4' || open.check(address, family);
  };
  const isOpened = ({ hostname, port }: Target, address: string | undefined) =>
    allowed.some((one) => one.matches({ hostname, port }, address));

  return {
    refusalOf(url) {
      const target = targetOf(url);
      const literal = literalOf(target.hostname);
      const malformed = malformation(url);
      if (malformed !== undefined || isOpened(target, literal)) return malformed;
      if (url.protocol !== 'https:') return 'it is not https';
      if (!usualPorts.has(target.port)) return `port ${target.port} is not allowed`;
      return literal === undefined || isPublic(literal) ? undefined : 'its address is internal';
    },
    allows: (target, address) => isOpened(target, address) || isPublic(address),
  };
}

/** What not even an opened target makes good. */
function malformation({ username, password, protocol }: URL): string | undefined {
  if (username !== '' || password !== '') return 'it has a user name or password';
  return protocol === 'https:' || protocol === 'http:' ? undefined : 'it is neither https nor http';
}

export function targetOf({ hostname, port, protocol }: URL): Target {
  // A dot at the end changes nothing but the spelling.
  const name = hostname.replace(/\.$/, '');
  return { hostname: name, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** The address that a host is, without brackets; undefined for a name. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/** A target that the operator opened. */
export interface AllowedTarget {
  /** `address` is undefined for a name that is not resolved yet. */
  matches(target: Target, address: string | undefined): boolean;
}

const entryForm = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/;

/**
 * `host:port`, `CIDR:port` or `address:port`, IPv6 in brackets; without a port, any. Undefined for what is none of
 * these.
 */
export function parseAllowedTarget(entry: string): AllowedTarget | undefined {
  const [, bracketed, plain, portText] = entryForm.exec(entry) ?? [];
  const host = (bracketed ?? plain)?.toLowerCase();
  const port = portText === undefined ? undefined : Number(portText);
  if (host === undefined || port === 0 || (port ?? 1) > 65_535) return undefined;
  const fitsPort = (target: Target) => port === undefined || target.port === port;
  const isAddress = isIP(host.split('/', 1)[0] ?? '') !== 0;
  if (isAddress) return openedAddresses(host, fitsPort);
  if (host.includes('/') || bracketed !== undefined) return undefined;
  return { matches: (target) => fitsPort(target) && target.hostname === host };
}

function openedAddresses(
  host: string,
  fitsPort: (target: Target) => boolean,
): AllowedTarget | undefined {
  const list = tryListOf(host.includes('/') ? host : `${host}/${isIP(host) === 4 ? 32 : 128}`);
  if (list === undefined) return undefined;
  return {
    matches: (target, address) =>
      fitsPort(target) && address !== undefined && list.check(address, familyOf(address)),
  };
}

function tryListOf(subnet: string): BlockList | undefined {
  try {
    return listOf([subnet]);
  } catch {
    return undefined;
  }
}

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

function addressesOfThisHost(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address.split('%', 1)[0] ?? address),
  );
}
