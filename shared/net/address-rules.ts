import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = readonly [Address, number];

/**
 * Returns why requests may not go to an address; undefined if they may. `text` is an address as `canonicalHost`
 * returns it.
 */
export function forbiddenReason(text: string, ownAddresses: readonly string[]): string | undefined {
  const address = parseAddress(text);
  if (address === undefined) return 'not an address';
  const reason =
    address.kind() === 'ipv4' ? nameOfRange(address, forbiddenV4) : notUnicast(address);
  if (reason !== undefined) return reason;
  const isOwn = ownAddresses.some((own) => isSameAddress(parseAddress(own), address));
  return isOwn ? 'an address of this machine' : undefined;
}

/**
 * Returns the canonical spelling of a host: a name in lower-case ASCII without a trailing dot, or an address without
 * brackets. The URL standard resolves the many spellings (octal, hexadecimal, short, one number, other digits,
 * percent-encoded, IDN) in the same way as the sender's own URL parser. Undefined if the text is not a host.
 */
export function canonicalHost(spelled: string): string | undefined {
  const host = isIPv6(spelled) ? `[${spelled}]` : spelled;
  if (/[\s/?#@\\]/.test(host) || /:(?![^[]*\])/.test(host)) return undefined;
  const url = URL.parse(`http://${host}/`);
  if (url === null) return undefined;
  const canonical = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return isIP(canonical) !== 0 || isName(canonical) ? canonical : undefined;
}

/** localhost is treated as an address: it is always this machine, even if a name server disagrees. */
export const isLocalName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost');

export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 ? undefined : ipaddr.parse(text);
}

export function isSameAddress(one: Address | undefined, other: Address | undefined): boolean {
  return one !== undefined && one.toNormalizedString() === other?.toNormalizedString();
}

export function isInRange(address: Address, [start, bits]: AddressRange): boolean {
  return address.kind() === start.kind() && address.match(start, bits);
}

/** Parses `10.0.0.0/8` or `fd00::/8`; returns undefined for anything else, including short and octal spellings. */
export function parseRange(text: string): AddressRange | undefined {
  const [start = '', bits = ''] = text.split('/');
  const address = parseAddress(start);
  if (address === undefined || !/^\d{1,3}$/.test(bits)) return undefined;
  const maxBits = address.kind() === 'ipv4' ? 32 : 128;
  return text.split('/').length === 2 && Number(bits) <= maxBits
    ? [address, Number(bits)]
    : undefined;
}

function isName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
}

/**
 * Rejects everything outside global unicast, including every form that embeds an IPv4 address: mapped, compatible,
 * NAT64.
 */
function notUnicast(address: Address): string | undefined {
  if (!isInRange(address, globalUnicast)) return 'an IPv6 address that is not public';
  return nameOfRange(address, forbiddenV6);
}

interface NamedRange {
  readonly name: string;
  readonly range: AddressRange;
}

function nameOfRange(address: Address, ranges: readonly NamedRange[]): string | undefined {
  return ranges.find(({ range }) => isInRange(address, range))?.name;
}

const toRanges = (names: Readonly<Record<string, string>>): readonly NamedRange[] =>
  Object.entries(names).flatMap(([name, texts]) =>
    texts.split(' ').map((text) => ({ name, range: ipaddr.parseCIDR(text) })),
  );

/**
 * Based on IANA's special-purpose registries; 168.63.129.16 is Azure's host agent. docs/architecture/webhooks.md
 * lists these ranges.
 */
const forbiddenV4 = toRanges({
  'an address that no host has': '0.0.0.0/8 192.0.0.0/24 240.0.0.0/4',
  'a private address': '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16',
  'a shared provider address': '100.64.0.0/10',
  'a loopback address': '127.0.0.0/8',
  'a link-local address': '169.254.0.0/16',
  'a documentation address': '192.0.2.0/24 198.51.100.0/24 203.0.113.0/24',
  'a relay address': '192.88.99.0/24',
  'a benchmark address': '198.18.0.0/15',
  'a multicast address': '224.0.0.0/4',
  'an internal address of a cloud': '168.63.129.16/32',
});

const globalUnicast: AddressRange = ipaddr.parseCIDR('2000::/3');
const forbiddenV6 = toRanges({
  'a protocol address': '2001::/23',
  'a documentation address': '2001:db8::/32 3fff::/20',
  'a 6to4 address': '2002::/16',
});
