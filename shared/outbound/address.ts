import ipaddr from 'ipaddr.js';
import { notPublic } from './failure.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type Scheme = 'http' | 'https';
export type CheckedUrl = { ok: true; url: URL } | { ok: false; problem: string };

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');
const LOCAL_NAMES = new Set(['localhost', 'localhost.localdomain', 'localhost6', 'ip6-localhost', 'ip6-loopback']);

/** Whether `text` is an address (`10.1.2.3`) or a range (`10.0.0.0/8`, `fd00::/8`) that `allowCidrs` takes. */
export function validCidr(text: string): boolean {
  return parseRange(text) !== undefined;
}

/** Whether requests may go to this IP address: a public unicast address, or one inside `allowCidrs`. False for anything else. */
export function isAllowedAddress(ip: string, allowCidrs: readonly string[] = []): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const outer = ipaddr.parse(ip);
  const inner = embeddedV4(outer);
  if (allowCidrs.some((cidr) => inRange(outer, cidr) || (inner !== undefined && inRange(inner, cidr)))) return true;
  return isPublic(inner ?? outer);
}

/**
 * Checks a URL before any lookup or job: scheme, host, literal and local addresses. A name can still resolve to a private
 * address; the connection refuses that. `problem` completes a sentence that starts with the name of the field, and quotes
 * only the host of the URL.
 */
export function checkUrl(
  text: string,
  {
    schemes = ['https', 'http'],
    allowCidrs = [],
  }: { schemes?: readonly Scheme[]; allowCidrs?: readonly string[] } = {},
): CheckedUrl {
  const urlProblem = (reason: string): CheckedUrl => ({ ok: false, problem: reason });
  const allowed = schemes.map((scheme) => `${scheme}://`).join(' or ');
  if (text.startsWith('-')) return urlProblem('must not start with a dash');
  if (hasSpaceOrControl(text)) return urlProblem('must not contain spaces or control characters');
  if (!schemes.some((scheme) => text.slice(0, scheme.length + 3).toLowerCase() === `${scheme}://`)) {
    return urlProblem(`must start with ${allowed}`);
  }
  if (/^[^:]*:\/\/[/\\]/.test(text) || !URL.canParse(text)) return urlProblem('is not a valid URL');
  const url = new URL(text);
  const host = bareHost(url.hostname);
  if (host === '') return urlProblem('has no host');
  if (ipaddr.isValid(host) && !isAllowedAddress(host, allowCidrs)) return urlProblem(`is refused: ${notPublic(host)}`);
  if (isLocalName(host) && !['127.0.0.1', '::1'].some((ip) => isAllowedAddress(ip, allowCidrs))) {
    return urlProblem(`is refused: ${notPublic(host)}`);
  }
  return { ok: true, url };
}

/** A host for sockets and lookups: without the brackets of an IPv6 literal. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}

function isLocalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return LOCAL_NAMES.has(name) || name.endsWith('.localhost');
}

function hasSpaceOrControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 0x20 || (code >= 0x7f && code <= 0xa0)) return true;
  }
  return false;
}

/** The IPv4 address behind an IPv6 address: mapped, NAT64 or 6to4. */
function embeddedV4(address: Address): ipaddr.IPv4 | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  if (address.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12, 16));
  if (address.match(SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6));
  return undefined;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  // ipaddr.js calls the deprecated IPv4-compatible ::127.0.0.1 and all unassigned space unicast.
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST_V6);
}

function inRange(address: Address, cidr: string): boolean {
  const range = parseRange(cidr);
  if (!range || range[0].kind() !== address.kind()) return false;
  return address instanceof ipaddr.IPv4
    ? address.match(range as [ipaddr.IPv4, number])
    : address.match(range as [ipaddr.IPv6, number]);
}

function parseRange(text: string): [Address, number] | undefined {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return undefined;
  }
}
