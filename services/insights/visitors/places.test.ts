import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../shared/monitoring/log.js';
import { eventually } from '../../../shared/testing/eventually.js';
import { cellAt } from './cells.js';
import { Places } from './places.js';
import { type Contents, mmdb } from './testing/mmdb.js';

const cityOf = (country: string, name: string, [latitude, longitude]: [number, number]) => ({
  city: { geoname_id: 1, names: { de: `${name} (de)`, en: name } },
  continent: { code: 'EU', names: { en: 'Europe' } },
  country: { iso_code: country, is_in_european_union: true },
  location: { latitude, longitude, accuracy_radius: 20 },
  subdivisions: [{ iso_code: 'X' }],
});

const cities: Contents = {
  type: 'GeoLite2-City',
  networks: {
    '81.2.69.0/24': cityOf('GB', 'London', [51.5142, -0.0931]),
    '89.160.20.112/28': cityOf('SE', 'Linköping', [58.4167, 15.6167]),
    '2a02:d500::/29': cityOf('SK', 'Košice', [48.71, 21.26]),
    '216.160.83.56/32': { country: { iso_code: 'US' }, continent: { code: 'NA' } },
    '202.196.224.0/20': { registered_country: { iso_code: 'PH' } },
  },
};
const london = { country: 'GB', continent: 'EU', city: 'London', cell: cellAt(51.5142, -0.0931) };

let folder: string;
let path: string;
const opened: Places[] = [];
const lines: string[] = [];
const log = createLog('info', { write: (line: string) => void lines.push(line) });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-places-'));
  path = join(folder, 'places.mmdb');
  lines.length = 0;
});

afterEach(async () => {
  for (const places of opened.splice(0)) places.close();
  await rm(folder, { recursive: true });
});

async function openPlaces(content: Buffer = mmdb(cities)): Promise<Places> {
  await writeFile(path, content);
  const places = new Places(path, log, { everyMs: 10 });
  await places.open();
  opened.push(places);
  return places;
}

const at = (address: string) => ({ address, headers: {} });

describe('the place of an address', () => {
  it('is that of its network', async () => {
    const places = await openPlaces();
    expect(places.placeOf(at('81.2.69.160'))).toEqual(london);
    expect(places.placeOf(at('::ffff:81.2.69.160'))).toEqual(london);
    expect(places.placeOf(at('::FFFF:5102:45a0'))).toEqual(london);
    expect(places.placeOf(at('2a02:d507:1::5'))).toMatchObject({ country: 'SK', city: 'Košice' });
    expect(places.placeOf(at('89.160.20.127'))).toMatchObject({ country: 'SE', city: 'Linköping' });
  });

  it('is as much as the database knows', async () => {
    const places = await openPlaces();
    expect(places.placeOf(at('216.160.83.56'))).toEqual({ country: 'US', continent: 'NA' });
    expect(places.placeOf(at('202.196.224.1'))).toEqual({});
  });

  it.each([
    '81.2.70.1',
    '127.0.0.1',
    '::1',
    'fe80::1%eth0',
    '',
    'localhost',
    '81.2.69',
    '0x51.2.69.1',
    '81.2.69.160:80',
  ])('is unknown for %j', async (address) => {
    expect((await openPlaces()).placeOf(at(address))).toEqual({});
  });

  it.each(['GeoIP2-Country', 'DBIP-Country-Lite', 'DBIP-City-Lite'])('is found in %s', async (type) => {
    const places = await openPlaces(mmdb({ ...cities, type }));
    expect(places.placeOf(at('81.2.69.160'))).toEqual(london);
  });

  it('is found in a database of IPv4 addresses alone', async () => {
    const places = await openPlaces(
      mmdb({ type: 'GeoIP2-City', ipVersion: 4, networks: { '32.0.0.0/3': cityOf('US', 'X', [1, 2]) } }),
    );
    expect(places.placeOf(at('33.1.1.1')).country).toBe('US');
    expect(places.placeOf(at('::ffff:33.1.1.1')).country).toBe('US');
    expect(places.placeOf(at('2a02:d507::1'))).toEqual({});
  });

  it('is unknown without a database', async () => {
    expect(new Places(undefined, log).placeOf(at('81.2.69.160'))).toEqual({});
  });

  it('is unknown where the database is damaged, and the log says so without the address', async () => {
    const content = mmdb(cities);
    // In place of the first record, a pointer behind the end of the file.
    content.set([0x38, 0xff, 0xff, 0xff, 0xff], content.indexOf('city') - 2);
    const places = await openPlaces(content);
    expect(places.placeOf(at('81.2.69.160'))).toEqual({});
    expect(places.placeOf(at('216.160.83.56')).country).toBe('US');
    expect(lines.join()).toContain('the database of places is damaged');
    expect(lines.join()).not.toContain('81.2.69');
  });
});

describe('the headers of a renderer', () => {
  const headers = {
    'x-location-country': 'fr',
    'x-location-continent': 'eu',
    'x-location-latitude': '48.8566',
    'x-location-longitude': '+2.3522',
  };

  it('tell the place without a database', async () => {
    const places = new Places(undefined, log);
    const paris = { country: 'FR', continent: 'EU', cell: cellAt(48.8566, 2.3522) };
    expect(places.placeOf({ address: '', headers })).toEqual(paris);
  });

  it('win over the database, of which nothing is taken for another country', async () => {
    const places = await openPlaces();
    const address = '81.2.69.160';
    expect(places.placeOf({ address, headers: { 'x-location-country': 'FR' } })).toEqual({ country: 'FR' });
    expect(places.placeOf({ address, headers: { 'x-location-country': 'gb' } })).toEqual(london);
    const position = { 'x-location-latitude': '48.8566', 'x-location-longitude': '2.3522' };
    expect(places.placeOf({ address, headers: position })).toEqual({ ...london, cell: cellAt(48.8566, 2.3522) });
  });

  it.each([
    { 'x-location-country': 'XX', 'x-location-continent': 'Europe' },
    { 'x-location-country': 'T1', 'x-location-continent': '' },
    { 'x-location-country': 'zz' },
    { 'x-location-country': '' },
    { 'x-location-country': 'FRA' },
    { 'x-location-country': 'ſs' },
    { 'x-location-latitude': '48.8566' },
    { 'x-location-longitude': '2.3522' },
    { 'x-location-latitude': '', 'x-location-longitude': '' },
    { 'x-location-latitude': '90.1', 'x-location-longitude': '2' },
    { 'x-location-latitude': '48', 'x-location-longitude': '-180.5' },
    { 'x-location-latitude': 'NaN', 'x-location-longitude': '2' },
    { 'x-location-latitude': '1e1', 'x-location-longitude': '0x2' },
  ])('are ignored where they are invalid: %j', async (invalid) => {
    const places = await openPlaces();
    expect(places.placeOf({ address: '', headers: invalid })).toEqual({});
    expect(places.placeOf({ address: '81.2.69.160', headers: invalid })).toEqual(london);
  });
});

describe('the file of the database', () => {
  it.each([
    ['is missing', undefined, /no such file/],
    ['is empty', Buffer.alloc(0), /./],
    ['is no database', Buffer.from('<html>Sign in to download</html>'), /./],
    ['is cut short', mmdb(cities).subarray(0, 500), /./],
    ['is compressed', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), /gzip/],
    ['holds no places', mmdb({ ...cities, type: 'GeoLite2-ASN' }), /GeoLite2-ASN holds no places/],
  ])('stops the start when it %s', async (_, content, reason) => {
    if (content) await writeFile(path, content);
    const message = await new Places(path, log).open().then(String, (error: Error) => error.message);
    expect(message.startsWith(`GEOIP_DATABASE: ${path} cannot be read (`)).toBe(true);
    expect(message).toMatch(reason);
  });

  it('may be replaced', async () => {
    const places = await openPlaces();
    const next = { ...cities, networks: { '81.2.69.0/24': cityOf('GB', 'Leeds', [53.8, -1.5]) } };
    await writeFile(`${path}.new`, mmdb(next));
    await rename(`${path}.new`, path);
    await eventually('the new database', () => places.placeOf(at('81.2.69.160')).city === 'Leeds');
    expect(lines.join()).toContain('the database of places was replaced');
  });

  it('is kept in memory while it is damaged or gone, and read when it is good again', async () => {
    const places = await openPlaces();
    await writeFile(path, mmdb(cities).subarray(0, 500));
    await eventually('the line of the log', () => lines.some((line) => line.includes('the old one stays in use')));
    expect(places.placeOf(at('81.2.69.160'))).toEqual(london);
    await rm(path);
    await eventually('the line of the log', () => lines.some((line) => line.includes('no such file')));
    expect(places.placeOf(at('81.2.69.160'))).toEqual(london);
    await writeFile(path, mmdb({ ...cities, networks: { '81.2.69.0/24': cityOf('GB', 'Leeds', [53.8, -1.5]) } }));
    await eventually('the new database', () => places.placeOf(at('81.2.69.160')).city === 'Leeds');
  });

  it('is no longer looked at after the end', async () => {
    const places = await openPlaces();
    places.close();
    // Another that looks at the same file sees the change, at the same time.
    const other = await openPlaces();
    await writeFile(`${path}.new`, mmdb({ ...cities, networks: {} }));
    await rename(`${path}.new`, path);
    await eventually('the change', () => other.placeOf(at('81.2.69.160')).city === undefined);
    expect(places.placeOf(at('81.2.69.160'))).toEqual(london);
    expect(lines.filter((line) => line.includes('was replaced'))).toHaveLength(1);
  });
});
