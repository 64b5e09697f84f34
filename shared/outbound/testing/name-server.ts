import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** What is said of a name: its addresses, the same or other ones each time; nothing; or that there is a failure. */
export type Said = string[] | (() => string[]) | 'silence' | 'failure';

export interface NameServer {
  /** For `servers` of `Lookups`. */
  at: string;
  /** The names of the questions for IPv4 addresses, in order. */
  asked: string[];
  close(): void;
}

const [typeOfFour, typeOfSix] = [1, 28];
const [failed, noSuchName] = [2, 3];

/** A name server on this machine that knows the addresses of some names, and that there are no others. */
export async function openNameServer(saidOf: (name: string) => Said | undefined): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, end } = questionIn(query);
    const type = query.readUInt16BE(end - 4);
    if (type === typeOfFour) asked.push(name);
    const found = saidOf(name);
    if (found === 'silence') return;
    const said = typeof found === 'function' ? found() : found;
    const code = said === 'failure' ? failed : said === undefined ? noSuchName : 0;
    const records = Array.isArray(said)
      ? said.map((each) => recordOf(each, type)).filter((each) => each !== undefined)
      : [];
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { at: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

function questionIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

/** A record of the name in the question; undefined for an address of the other family. IPv6 addresses are written in full. */
function recordOf(address: string, type: number): Buffer | undefined {
  const isSix = address.includes(':');
  if (type !== (isSix ? typeOfSix : typeOfFour)) return undefined;
  const bytes = isSix ? Buffer.from(address.replaceAll(':', ''), 'hex') : Buffer.from(address.split('.').map(Number));
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
}
