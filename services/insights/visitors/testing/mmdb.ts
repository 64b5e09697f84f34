import ipaddr from 'ipaddr.js';

/** What a database holds of a network: maps, arrays, texts, numbers and booleans. */
export type Value = string | number | boolean | Value[] | { [name: string]: Value };

export interface Contents {
  /** Such as `GeoLite2-City`. */
  type: string;
  /** Default: 6. */
  ipVersion?: 4 | 6;
  /** What is known of each network (`81.2.69.0/24`). They must not overlap. */
  networks: Record<string, Value>;
}

/** A node of the search tree: the next nodes, or the offsets of values, by the next bit of an address. */
type Branch = Node | number | undefined;
type Node = [Branch, Branch];

const recordBytes = 4;
const separator = Buffer.alloc(16);
const metadataMarker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** Makes a database in the MaxMind DB format (https://maxmind.github.io/MaxMind-DB/). */
export function mmdb({ type, ipVersion = 6, networks }: Contents): Buffer {
  const root: Node = [undefined, undefined];
  const values: Buffer[] = [];
  let offset = 0;
  for (const [network, value] of Object.entries(networks)) {
    insert(root, bitsOf(network, ipVersion), offset);
    const encoded = encode(value);
    values.push(encoded);
    offset += encoded.length;
  }
  const nodes = nodesOf(root);
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_750_000_000,
    database_type: type,
    description: { en: 'For tests' },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: recordBytes * 8,
  };
  return Buffer.concat([treeOf(nodes), separator, ...values, metadataMarker, encode(metadata)]);
}

function bitsOf(network: string, ipVersion: 4 | 6): (0 | 1)[] {
  const [address, length] = ipaddr.parseCIDR(network);
  // An IPv6 tree has IPv4 addresses below ::/96.
  const before = address.kind() === 'ipv4' && ipVersion === 6 ? new Array<0>(96).fill(0) : [];
  const bits = address
    .toByteArray()
    .flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((at) => ((byte >> at) & 1) as 0 | 1));
  return [...before, ...bits.slice(0, length)];
}

function insert(root: Node, bits: (0 | 1)[], value: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const next: Branch = node[bit] ?? [undefined, undefined];
    if (typeof next === 'number') throw new Error('networks overlap');
    node[bit] = next;
    node = next;
  }
  node[bits.at(-1) as 0 | 1] = value;
}

function nodesOf(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes) nodes.push(...node.filter((branch) => typeof branch === 'object'));
  return nodes;
}

function treeOf(nodes: Node[]): Buffer {
  const numbers = new Map(nodes.map((node, at) => [node, at]));
  const recordOf = (branch: Branch): number => {
    if (branch === undefined) return nodes.length;
    return typeof branch === 'number' ? nodes.length + separator.length + branch : (numbers.get(branch) as number);
  };
  const tree = Buffer.alloc(nodes.length * 2 * recordBytes);
  for (const [at, record] of nodes.flat().map(recordOf).entries()) tree.writeUInt32BE(record, at * recordBytes);
  return tree;
}

const kinds = { text: 2, double: 3, uint32: 6, map: 7, array: 11, boolean: 14 } as const;

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control('text', Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'boolean') return control('boolean', Number(value));
  if (typeof value === 'number') return encodeNumber(value);
  if (Array.isArray(value)) return Buffer.concat([control('array', value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    control('map', entries.length),
    ...entries.flatMap(([name, inner]) => [encode(name), encode(inner)]),
  ]);
}

function encodeNumber(value: number): Buffer {
  const isCount = Number.isInteger(value) && value >= 0;
  const bytes = Buffer.alloc(isCount ? 4 : 8);
  if (isCount) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([control(isCount ? 'uint32' : 'double', bytes.length), bytes]);
}

function control(name: keyof typeof kinds, size: number): Buffer {
  const kind = kinds[name];
  if (size >= 29 + 256) throw new Error('too long for a test');
  const short = Math.min(size, 29);
  return Buffer.from([...(kind > 7 ? [short, kind - 7] : [(kind << 5) | short]), ...(size >= 29 ? [size - 29] : [])]);
}
