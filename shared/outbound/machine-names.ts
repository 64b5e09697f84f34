import type { LookupAddress } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
/** Characters of a name that name servers know. */
const maxNameLength = 253;

interface Search {
  domains: string[];
  /** Names with this many dots are tried as they are before the domains. */
  dots: number;
}

/** Knows a machine's own names and search domains, from its hosts file and its resolver's settings, as its own lookups do. */
export class MachineNames {
  private readonly hosts: () => Promise<Map<string, LookupAddress[]>>;
  private readonly search: () => Promise<Search>;

  constructor({ hosts = '/etc/hosts', resolv = '/etc/resolv.conf' }: { hosts?: string; resolv?: string } = {}) {
    this.hosts = parseWhenChanged(hosts, parseHosts);
    this.search = parseWhenChanged(resolv, parseSearchDomains);
  }

  /** The addresses of a name that the machine knows itself; none for one that name servers are asked for. */
  async ownAddresses(hostname: string): Promise<LookupAddress[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const known = (await this.hosts()).get(name);
    return known ?? (name === 'localhost' || name.endsWith('.localhost') ? loopback : []);
  }

  /** The names to ask name servers for, in order. One that ends with a dot is whole. */
  async expandBySearchDomains(hostname: string): Promise<string[]> {
    if (hostname.endsWith('.')) return [hostname.slice(0, -1)];
    const { domains, dots } = await this.search();
    const within = domains.map((domain) => `${hostname}.${domain}`).filter(({ length }) => length <= maxNameLength);
    return hostname.split('.').length > dots ? [hostname, ...within] : [...within, hostname];
  }
}

/** A file as it is now, parsed again when it changed; an empty one where there is none. */
function parseWhenChanged<T>(path: string, parse: (lines: string[][]) => T): () => Promise<T> {
  let kept: { changed: number; content: T } | undefined;
  return async () => {
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (kept?.changed === changed) return kept.content;
    const text = await readFile(path, 'utf8').catch(() => '');
    kept = { changed, content: parse(text.split('\n').map(splitWords)) };
    return kept.content;
  };
}

const splitWords = (line: string): string[] => (line.split(/[#;]/, 1)[0] as string).trim().split(/\s+/);

function parseHosts(lines: string[][]): Map<string, LookupAddress[]> {
  const addresses = new Map<string, LookupAddress[]>();
  for (const [address = '', ...names] of lines) {
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of new Set(names.map((name) => name.toLowerCase())))
      addresses.set(name, [...(addresses.get(name) ?? []), { address, family }]);
  }
  return addresses;
}

function parseSearchDomains(lines: string[][]): Search {
  const search: Search = { domains: [], dots: 1 };
  for (const [keyword, ...values] of lines) {
    if (keyword === 'search' || keyword === 'domain')
      search.domains = values.map((domain) => domain.replace(/\.$/, '')).filter((domain) => domain !== '');
    if (keyword !== 'options') continue;
    const dots = values.map((option) => /^ndots:(\d+)$/.exec(option)?.[1]).findLast((found) => found !== undefined);
    if (dots !== undefined) search.dots = Number(dots);
  }
  return search;
}
