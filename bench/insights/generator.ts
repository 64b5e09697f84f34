import type { ClickHouseClient } from '@clickhouse/client';
import { prepareTable, type Table } from '../../shared/analytics/table.js';
import { readConfig } from '../../shared/settings/config.js';

export interface Generated {
  table: Table;
  /** How many events. */
  events: number;
  /** A large site; the other events are spread over 200 small ones. */
  organization: string;
  site: string;
  /** The share of the large site, as one in so many: 1 for all events. */
  oneIn: number;
}

/** Events lie in so many days until now. */
const days = 89;
const eventsOfVisitor = 20;
const eventsOfSession = 4;
const smallSites = 200;
const rowsOfInsert = 1_000_000;

/** A number from 0 to 1 that is the same for the same key. */
const random = (key: string, salt: number) => `(cityHash64(${key}, ${salt}) / 18446744073709551616)`;

/** A whole number below `below`, small ones most often: the n-th has about 1/n of the first. */
const skewed = (key: string, salt: number, below: number) =>
  `toUInt32(floor(exp(${random(key, salt)} * log(${below} + 1))) - 1)`;

const among = (texts: string[], index: string) => `[${texts.map((text) => `'${text}'`)}][1 + ${index}]`;

/** One of the texts, each as often as its weight. */
const weighted = (weights: Record<string, number>, chance: string) => {
  const limits = Object.values(weights).map((_, at, all) => all.slice(0, at + 1).reduce((sum, each) => sum + each));
  const total = limits.at(-1) as number;
  const branches = Object.keys(weights).map((text, at) => `${chance} < ${(limits[at] as number) / total}, '${text}'`);
  return `multiIf(${branches.join(', ')}, '')`;
};

const types = {
  page_view: 70,
  search_open: 4,
  search_type_query: 8,
  search_open_result: 4,
  page_post_feedback: 3,
  link_click: 7,
  ask_question: 2,
  ask_rate_response: 1,
  api_client_request: 1,
};
const browsers = { chrome: 62, safari: 17, firefox: 8, edge: 9, opera: 2, unknown: 2 };
const devices = { desktop: 74, mobile: 22, tablet: 3, unknown: 1 };
const systems = { windows: 38, macos: 31, linux: 11, android: 11, ios: 9 };
const languages = { 'en-US': 55, 'en-GB': 9, 'de-DE': 8, 'fr-FR': 6, 'ja-JP': 6, 'pt-BR': 5, 'es-ES': 5, 'zh-CN': 4 };
const countries = 'US IN DE GB FR JP BR CA NL AU ES IT PL SE CN KR SG MX CH IL TR UA ID VN AR PT BE DK NO FI'.split(
  ' ',
);
const words = 'install token webhook export import deploy limit error login search plan page proxy backup'.split(' ');

/** Crockford's alphabet: the first ten characters of an id tell its time. */
const timeText = `arrayStringConcat(arrayMap(k -> substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  toUInt8(bitAnd(bitShiftRight(ms, 45 - 5 * k), 31)) + 1, 1), range(10)))`;

const isOf = (...of: (keyof typeof types)[]) => `type IN (${of.map((type) => `'${type}'`)})`;

/** The values of an event, from those above: each is a name in SQL. */
const steps = ({ organization, site, oneIn }: Generated): Record<string, string> => ({
  visit: `intDiv(number, ${eventsOfSession})`,
  isLarge: `visit % ${oneIn} = 0`,
  small: `toUInt32(cityHash64(visit, 1) % ${smallSites})`,
  organization: `if(isLarge, '${organization}', concat('organization', toString(small % 50)))`,
  site: `if(isLarge, '${site}', concat('site', toString(small)))`,
  ms: `toUInt64({now:Int64} - floor(${random('visit', 2)} * ${days * 86_400_000})) - cityHash64(number, 2) % 600000`,
  timestamp: 'fromUnixTimestamp64Milli(ms)',
  id: `concat(${timeText}, base32Encode(substring(sipHash128(number), 1, 10)))`,
  type: weighted(types, random('number', 3)),
  visitors: `{events:UInt32} / ${eventsOfVisitor} / if(isLarge, ${oneIn}, ${smallSites})`,
  person: `toUInt64(pow(${random('visit', 4)}, 2) * visitors)`,
  visitor: 'lower(hex(sipHash128(site, person)))',
  session: 'lower(hex(sipHash128(visit)))',
  pageAt: `if(isLarge, ${skewed('number', 5, 5000)}, ${skewed('number', 5, 200)})`,
  page: `substring(hex(sipHash128(site, pageAt)), 1, 20)`,
  isTagged: `cityHash64(number, 6) % 20 = 0`,
  url: `concat('https://docs.example.com/', site, '/', ${among(words, 'pageAt % 14')}, '/page-', toString(pageAt),
    if(isTagged, '?utm_source=newsletter&utm_medium=mail', ''))`,
  siteSpace: `substring(hex(sipHash128(site, pageAt % 4)), 1, 20)`,
  space: `substring(hex(sipHash128(site, pageAt % 4, 1)), 1, 20)`,
  country: among(countries, skewed('person', 7, countries.length)),
  continent: `if(country IN ('US', 'CA', 'MX'), 'NA', 'EU')`,
  city: `concat(country, ' City ', toString(${skewed('person', 8, 20)}))`,
  cell: 'geoToH3(toFloat64(cityHash64(city) % 170), toFloat64(cityHash64(city, 1) % 80), 15)',
  device: weighted(devices, random('person', 9)),
  browser: weighted(browsers, random('person', 10)),
  os: weighted(systems, random('person', 11)),
  bot: `if(cityHash64(person, 12) % 50 = 0, 'googlebot', '')`,
  language: weighted(languages, random('person', 13)),
  referrerAt: skewed('number', 14, 200),
  referrerDomain: `if(cityHash64(number, 15) % 5 < 3, '', concat('referrer', toString(referrerAt), '.example'))`,
  referrer: `if(referrerDomain = '', '', concat('https://', referrerDomain, '/', toString(${skewed('number', 16, 500)})))`,
  utmSource: `if(isTagged, 'newsletter', '')`,
  utmMedium: `if(isTagged, 'mail', '')`,
  hasClaims: 'cityHash64(person, 17) % 10 = 0',
  company: `concat('Company ', toString(${skewed('person', 18, 300)}))`,
  claims: `if(hasClaims, concat('{"company":{"name":"', company, '","plan":"pro"}}'), '')`,
  claimValues: `if(hasClaims, map('company.name', company, 'company.plan', 'pro'), map())`,
  query: `if(${isOf('search_type_query', 'search_open_result', 'ask_question', 'ask_rate_response')},
    concat(${among(words, 'queryAt % 14')}, ' ', ${among(words, 'intDiv(queryAt, 14) % 14')}, ' ', toString(intDiv(queryAt, 196))), '')`,
  queryAt: skewed('number', 19, 3000),
  resultPage: `if(${isOf('search_open_result')}, page, '')`,
  feedbackRating: `if(${isOf('page_post_feedback')}, ${weighted({ good: 6, ok: 2, bad: 2 }, random('number', 20))}, '')`,
  response: `if(${isOf('ask_rate_response')}, hex(cityHash64(number, 21)), '')`,
  responseRating: `if(${isOf('ask_rate_response')}, if(cityHash64(number, 22) % 4 = 0, -1, 1), 0)`,
  linkTarget: `if(${isOf('link_click')}, concat('{"kind":"url","url":"https://', linkDomain, '/"}'), '')`,
  linkKind: `if(${isOf('link_click')}, 'url', '')`,
  linkDomain: `if(${isOf('link_click')}, concat('target', toString(${skewed('number', 23, 100)}), '.example'), '')`,
  linkPosition: `if(${isOf('link_click')}, ${among(['header', 'content', 'footer'], 'number % 3')}, '')`,
  apiPath: `if(${isOf('api_client_request')}, concat('/resources/', toString(number % 40)), '')`,
  apiMethod: `if(${isOf('api_client_request')}, 'GET', '')`,
});

/** Fills a table with events like those of real sites, the same ones for the same time. */
export async function generateEvents(client: ClickHouseClient, generated: Generated, now: number): Promise<void> {
  const { table, events } = generated;
  // That of the product: another one would be written into all parts when it starts.
  await prepareTable({ client, table, retentionDays: readConfig({}).EVENT_RETENTION_DAYS });
  const values = steps(generated);
  const columns = Object.keys(values).filter((name) => name in table.columns);
  const names = Object.entries(values).map(([name, sql]) => `${sql} AS ${name}`);
  const query = `INSERT INTO ${table.name} (${columns.join(', ')})
WITH ${names.join(',\n')}
SELECT ${columns.join(', ')} FROM numbers_mt({from:UInt64}, {count:UInt64})`;
  // Each row is merged once, at the end, and not while something is measured.
  await client.command({ query: `SYSTEM STOP MERGES ${table.name}` });
  for (let from = 0; from < events; from += rowsOfInsert)
    await client.command({
      query,
      query_params: { now, events, from, count: Math.min(rowsOfInsert, events - from) },
      clickhouse_settings: { max_insert_threads: '2', max_partitions_per_insert_block: '1000' },
    });
  await client.command({ query: `SYSTEM START MERGES ${table.name}` });
  await client.command({ query: `OPTIMIZE TABLE ${table.name} FINAL` });
}
