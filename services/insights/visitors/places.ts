import { unwatchFile, watchFile } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type CityResponse, open, type Reader } from 'maxmind';
import { type Log, onceASecond, type Tell } from '../../../shared/monitoring/log.js';
import { type Place, placeOfHeaders, validPlace } from './place.js';

export interface Located {
  address: string;
  /** Headers of the request, by their names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
}

/** How often the file is looked at: it is replaced about once a week. */
const watchMs = 10_000;

/** Databases of networks, providers or proxies have the same format. */
const databasesOfPlaces = /city|country|enterprise|location|insights/i;

/** Finds the places of visitors in headers, and in a database of addresses, which may be replaced at any time. */
export class Places {
  private reader: Reader<CityResponse> | undefined;
  private reading = Promise.resolve();
  private readonly tell: Tell;

  private readonly everyMs: number;

  /** Looks for another database at `path` every `everyMs`. Without a path, places come from headers alone. */
  constructor(
    private readonly path: string | undefined,
    private readonly log: Log,
    { everyMs = watchMs } = {},
  ) {
    this.everyMs = everyMs;
    this.tell = onceASecond(log);
  }

  /** Opens the MaxMind database. Throws when the file is missing, or holds no places. */
  async open(): Promise<void> {
    const { path, everyMs } = this;
    if (path === undefined) return;
    // First, so that no change is missed.
    watchFile(path, { persistent: false, interval: everyMs }, this.readAgain);
    try {
      this.reader = await openReader(path);
    } catch (error) {
      this.close();
      throw new Error(`GEOIP_DATABASE: ${path} cannot be read (${(error as Error).message})`);
    }
  }

  /** Where the visitor is who sent a request. Headers are believed before the database. */
  placeOf({ address, headers }: Located): Place {
    const fromHeaders = placeOfHeaders(headers);
    const found = this.findByAddress(address);
    return fromHeaders.country && fromHeaders.country !== found.country ? fromHeaders : { ...found, ...fromHeaders };
  }

  close(): void {
    if (this.path !== undefined) unwatchFile(this.path, this.readAgain);
  }

  private findByAddress(address: string): Place {
    const normal = this.reader && normalAddress(this.reader, address);
    if (!normal) return {};
    try {
      return placeOfRecord(this.reader?.get(normal));
    } catch (error) {
      // The message is that of the file: it knows no address.
      this.tell(
        'warn',
        'damaged',
        { path: this.path, problem: (error as Error).message },
        'the database of places is damaged',
      );
      return {};
    }
  }

  /** The watcher of `maxmind` would throw where nobody catches it, and lose the old file, when the new one is damaged. */
  private readonly readAgain = (): void => {
    const path = this.path as string;
    this.reading = this.reading.then(async () => {
      try {
        this.reader = await openReader(path);
        this.log.info({ path }, 'the database of places was replaced');
      } catch (error) {
        const problem = (error as Error).message;
        this.log.warn({ path, problem }, 'the new database of places cannot be read; the old one stays in use');
      }
    });
  };
}

async function openReader(path: string): Promise<Reader<CityResponse>> {
  const reader = await open<CityResponse>(path);
  const { databaseType } = reader.metadata;
  if (!databasesOfPlaces.test(databaseType)) throw new Error(`${databaseType} holds no places`);
  return reader;
}

/** The address in the form that the database knows; undefined where it can know nothing. */
function normalAddress(reader: Reader<CityResponse>, address: string): string | undefined {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const normal = ipaddr.process(address);
  // The reader would take the first bits for an IPv4 address.
  if (normal.kind() === 'ipv6' && reader.metadata.ipVersion === 4) return undefined;
  return normal.toString();
}

function placeOfRecord(record: CityResponse | null | undefined): Place {
  if (!record) return {};
  const city: unknown = record.city?.names?.en;
  return {
    ...validPlace({
      country: record.country?.iso_code,
      continent: record.continent?.code,
      latitude: record.location?.latitude,
      longitude: record.location?.longitude,
    }),
    ...(typeof city === 'string' && city !== '' ? { city } : {}),
  };
}
