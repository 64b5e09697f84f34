import { resolve } from 'node:path';
import { z } from 'zod';
import { type Problem, problemsOf, safeParse } from '../text/schema-messages.js';
import {
  bytes,
  cidrSchema,
  dnsServer,
  flag,
  headers,
  listSetting,
  mailbox,
  natsUrl,
  plainUrl,
  rendererUrl,
  smtpUrl,
} from './fields.js';
import { githubProblems, githubSettings } from './github-settings.js';
import { modelProblems, modelSettings } from './model-settings.js';
import { timeScale } from './time-scale.js';

/** Every setting, read from environment variables. The handbook's table and `.env.example` are generated from this schema. */
export const configSchema = z.object({
  HOST: z.string().default('127.0.0.1').meta({ description: 'Address to listen on.' }),
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(4000)
    .meta({ description: 'Port to listen on; 0 picks a free one.' }),
  BASE_URL: plainUrl.optional().meta({
    description:
      'Public address of this installation, as clients see it; may have a path. Default: `http://HOST:PORT`.',
  }),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .meta({ description: 'Folder of the embedded stores and of caches, relative to the working directory.' }),
  BOOTSTRAP_EMAIL: z
    .email()
    .default('admin@example.com')
    .meta({ description: 'E-mail address of the first user, created on an empty store.' }),
  BOOTSTRAP_ORG: z
    .string()
    .min(2)
    .max(255)
    .default('My organization')
    .meta({ description: 'Title of the first organization, created on an empty store.' }),
  BOOTSTRAP_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 ASCII characters without spaces')
    .optional()
    .meta({
      description:
        'API token of the first user (32 to 200 ASCII characters without spaces). Default: generated and printed once.',
    }),
  SERVICES: listSetting(z.string()).meta({
    description: 'Services that this process runs, comma-separated. Default: all.',
  }),
  NATS_URL: natsUrl.optional().meta({
    description:
      'NATS servers of the bus, `nats://user:password@host:4222` or `tls://…`, comma-separated. Default: no NATS, all services in this process.',
  }),
  MONGODB_URL: z
    .string()
    .regex(
      /^mongodb(\+srv)?:\/\/[^/\s]/,
      'must be mongodb://host[:port][,host…]/database or mongodb+srv://host/database',
    )
    .optional()
    .meta({
      description:
        'MongoDB replica set or cluster, `mongodb://host,host/database` or `mongodb+srv://…`. Default: an SQLite file in `DATA_DIR`.',
    }),
  CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/, error: 'must be http://user:password@host:8123 or https://…' })
    .optional()
    .meta({ description: 'ClickHouse server. Default: the same engine in a child process, on files in `DATA_DIR`.' }),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be the name of a cluster: letters, digits, _, . and -')
    .optional()
    .meta({
      description:
        'Cluster of ClickHouse on which tables are created, replicated and distributed. Default: one server.',
    }),
  SECRET_KEY: listSetting(
    z.string().refine((key) => Buffer.from(key, 'base64').length === 32, 'must be 32 bytes in base64'),
  ).meta({
    description:
      'Keys that encrypt secrets at rest (32 bytes, base64, comma-separated; the first encrypts). Required with `MONGODB_URL`. Default: a key generated in `DATA_DIR/secret.key`.',
  }),
  SMTP_URL: smtpUrl.optional().meta({
    description:
      'Mail server, `smtp://user:password@host:587` or `smtps://…`. Default: no mail is sent, and sign-in by mail is off.',
  }),
  MAIL_FROM: mailbox.optional().meta({
    description:
      'Sender of mails, an address or `Name <address>`. Default: `Bindery <no-reply@HOST>` with the host of `BASE_URL`.',
  }),
  COMMENT_DIGEST_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300).meta({
    description: 'Who is mentioned in comments, or gets replies, is told by one mail in each span of so many seconds.',
  }),
  METRICS_PORT: z.coerce.number().int().min(1).max(65535).optional().meta({
    description:
      'Port of `/healthz`, `/readyz` and `/metrics` of this process alone; keep it inside your network. Default: none.',
  }),
  METRICS_PUBLIC: flag
    .default(false)
    .meta({ description: 'Whether the gateway also answers `/metrics` on `PORT`, to everybody.' }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .meta({ description: 'Lowest level that is logged.' }),
  LOG_REQUESTS: z.enum(['all', 'slow']).default('slow').meta({
    description:
      '`all` logs a line for each request; `slow` only for requests that failed (5xx) or took more than a second.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be http://host:4318 or https://…' })
    .optional()
    .meta({
      description: 'Collector of traces, by OTLP over HTTP; `/v1/traces` is appended. Default: no traces are made.',
    }),
  OTEL_EXPORTER_OTLP_HEADERS: headers.meta({
    description: 'Headers for the collector, `name=value`, comma-separated.',
  }),
  OTEL_SERVICE_NAME: z.string().min(1).default('bindery').meta({ description: 'Name of this process in traces.' }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .meta({ description: 'Share of the requests that are traced, from 0 to 1.' }),
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).default(30_000).meta({
    description: 'Requests per minute for each token (without a token: for each address); 0 turns the limit off.',
  }),
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(1000).meta({
    description: 'The most connections of one address at a time; `TRUSTED_PROXIES` have no such limit.',
  }),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(365)
    .meta({ description: 'Days to keep audit events.' }),
  REVISION_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(365).meta({
    description:
      'Days to keep revisions that are neither the content of a space nor of an open change request, with what only they hold.',
  }),
  EVENT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    // The times of ClickHouse at which rows end are over in 2106.
    .max(20_000)
    .default(730)
    .meta({ description: 'Days to keep events of visitors, at most 20000.' }),
  EVENT_WINDOW_MINUTES: z.coerce.number().int().min(1).max(52_560_000).default(5).meta({
    description: 'Minutes before and after now in which the time of an event may lie; more for backfills.',
  }),
  EVENTS_PER_MINUTE: z.coerce.number().int().min(0).default(6000).meta({
    description:
      'Events of visitors per minute from each address without an API token of the organization; 0 turns the limit off.',
  }),
  GEOIP_DATABASE: z.string().min(1).optional().meta({
    description:
      'MaxMind database (.mmdb) of cities or countries, to find where visitors are. Default: only what renderers tell.',
  }),
  ORGANIZATION_EVENTS: z.coerce.number().int().min(0).default(100_000_000).meta({
    description: 'Events of visitors that an organization may store; 0 turns the limit off.',
  }),
  ORGANIZATION_STORAGE: bytes.default(20e9).meta({
    description:
      'What an organization may store: pages and files of all revisions of its spaces, such as `500 MB` or `10 GB`; 0 turns the limit off.',
  }),
  ORGANIZATION_EXPORT: bytes.default(20e9).meta({
    description:
      'What an export of an organization may hold, before it is packed, such as `500 MB` or `10 GB`; 0 turns the limit off.',
  }),
  PUBLISH_DOMAIN: z
    .string()
    .max(200)
    .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain such as docs.example.com')
    .optional()
    .meta({
      description:
        'Domain under which organizations have their host names: `<hostname>.<domain>`. Default: sites live below `BASE_URL`.',
    }),
  DNS_SERVERS: listSetting(dnsServer).meta({
    description:
      'Name servers that are asked whether domains are proven, `address` or `address:port`, comma-separated. Default: those of the machine.',
  }),
  TRUSTED_ORGANIZATIONS: listSetting(z.string()).meta({
    description:
      'Ids of organizations whose domains count without proof, comma-separated. The first organization always is one of them.',
  }),
  ORGANIZATION_CREATION: z.enum(['everybody', 'admins']).default('everybody').meta({
    description:
      'Who may create organizations: `everybody` with an account, or the `admins` of the first organization.',
  }),
  RENDERER_URLS: listSetting(rendererUrl).meta({
    description:
      'Base URLs of the renderers that show sites, comma-separated. Each is notified at `/~gitbook/revalidate` when its caches are out of date.',
  }),
  RENDERER_SECRET: z.string().min(1).optional().meta({
    description: 'Secret that signs the notifications to renderers, the same for all. Required with `RENDERER_URLS`.',
  }),
  READER: flag.default(true).meta({
    description: 'Whether this server shows sites as pages. `false` where another renderer does.',
  }),
  PDF_BROWSER: z.string().min(1).optional().meta({
    description:
      'Path of a Chromium, which makes PDFs of pages and spaces. Default: there are none, and pages for printing instead.',
  }),
  ...modelSettings,
  INTEGRATIONS_URL: plainUrl.optional().meta({
    description:
      'Public address at which scripts of integrations answer requests, best on a host name of its own: their pages then have an origin of their own, and may use cookies. It leads to the same server. Default: `BASE_URL`.',
  }),
  INTEGRATIONS_API_URL: plainUrl.optional().meta({
    description: 'Address at which scripts of integrations reach the API. Default: `BASE_URL`.',
  }),
  INTEGRATION_PROCESSES: z.coerce.number().int().min(1).max(1000).default(8).meta({
    description:
      'Integrations whose scripts a process of the service keeps ready at the same time, each in a process of its own.',
  }),
  INTEGRATION_SANDBOX: z.enum(['auto', 'required']).default('auto').meta({
    description:
      'Whether scripts of integrations run behind walls of the kernel (bubblewrap): `auto`, where the system has them; `required`: not without.',
  }),
  INTEGRATION_RUNNER: z
    .string()
    .regex(/^\/.{1,60}$/, 'must be the absolute path of a socket, of at most 61 characters')
    .optional()
    .meta({
      description:
        'Socket of the program that runs scripts of integrations in a container of its own; its folder is shared with that. Default: this process runs them.',
    }),
  DRAIN_SECONDS: z.coerce.number().min(0).max(600).optional().meta({
    description:
      'Seconds after `SIGTERM` in which requests are still taken while `/readyz` answers 503, so that load balancers notice. Default: 5 with `NATS_URL`, else 0.',
  }),
  TRUSTED_PROXIES: listSetting(cidrSchema('10.0.0.0/8')).meta({
    description: 'Proxies whose `X-Forwarded-For` is trusted, as CIDRs, comma-separated.',
  }),
  OUTBOUND_ALLOW_CIDRS: listSetting(cidrSchema('127.0.0.0/8')).meta({
    description:
      'Addresses that imports, exports, integrations and OpenID Connect may reach in addition to public ones, as CIDRs, comma-separated.',
  }),
  GIT_COMMIT_AUTHOR: z
    .string()
    .regex(
      /^[^<>\p{Cc}]{1,200} <[^<>\s]{1,200}@[^<>\s]{1,200}>$/u,
      'must be a name and an address, such as Docs <docs@example.com>',
    )
    .default('Bindery <bindery@localhost>')
    .meta({ description: 'Author of the commits that Git exports make.' }),
  ...githubSettings,
  CORS_ORIGINS: listSetting(z.string()).meta({
    description: 'Origins that browsers may call the API from, comma-separated. Default: all.',
  }),
  TIME_SCALE: z.coerce.number().min(0.01).max(100).default(1).meta({
    description:
      'How many times their usual length the deadlines, leases and time-outs of this process are, for tests on busy machines; from its environment alone, not from `.env`, and not in production.',
  }),
  CHECK_RESPONSES: flag.default(false).meta({ description: 'Check every answer against its schema, for development.' }),
});

export type Config = z.output<typeof configSchema> & { baseUrl: string; drainSeconds: number };

const withoutUnset = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));

/** Reads and cross-checks the settings. `DATA_DIR` becomes absolute, since git runs in other folders. Throws one error that names every invalid setting. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = safeParse(configSchema, withoutUnset(environment));
  const problems = parsed.success
    ? [...crossCheck(parsed.data), ...timeProblems(environment)]
    : problemsOf(parsed.error.issues).map(problemText);
  if (!parsed.success || problems.length > 0)
    throw new Error(`Invalid settings:\n${problems.map((p) => `  ${p}`).join('\n')}`);
  const { BASE_URL, HOST, PORT, NATS_URL, DRAIN_SECONDS, MODEL_URL, INTEGRATIONS_URL, INTEGRATIONS_API_URL } =
    parsed.data;
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST;
  return {
    ...parsed.data,
    GITHUB_API_URL: parsed.data.GITHUB_API_URL.replace(/\/+$/, ''),
    MODEL_URL: withoutSlash(MODEL_URL),
    INTEGRATIONS_URL: withoutSlash(INTEGRATIONS_URL),
    INTEGRATIONS_API_URL: withoutSlash(INTEGRATIONS_API_URL),
    DATA_DIR: resolve(parsed.data.DATA_DIR),
    drainSeconds: DRAIN_SECONDS ?? (NATS_URL ? 5 : 0),
    baseUrl: (BASE_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`).replace(/\/+$/, ''),
  };
}

const withoutSlash = (url: string | undefined) => url?.replace(/\/+$/, '');

/** Names the setting, also for a problem with one item of its list. */
const problemText = ({ path: [name], message }: Problem) => `${String(name)}: ${message}`;

const runsInsights = (services: string[]) => services.length === 0 || services.includes('insights');

/** The deadlines were made with the scale that the environment had when this process began. */
function timeProblems({ TIME_SCALE, NODE_ENV }: NodeJS.ProcessEnv): string[] {
  if (!TIME_SCALE) return [];
  if (NODE_ENV === 'production' && Number(TIME_SCALE) !== 1)
    return ['TIME_SCALE: is for tests; unset it in production (NODE_ENV=production)'];
  return Number(TIME_SCALE) === timeScale
    ? []
    : ['TIME_SCALE: set it in the environment of the process; it cannot be set in .env'];
}

function crossCheck(settings: z.output<typeof configSchema>): string[] {
  const problems: string[] = [...modelProblems(settings), ...githubProblems(settings)];
  if (settings.NATS_URL && !settings.MONGODB_URL)
    problems.push('MONGODB_URL: required with NATS_URL (the embedded store is for one process)');
  if (settings.NATS_URL && !settings.CLICKHOUSE_URL && runsInsights(settings.SERVICES))
    problems.push(
      'CLICKHOUSE_URL: required with NATS_URL where insights runs (the embedded engine is for one process)',
    );
  if (settings.CLICKHOUSE_CLUSTER && !settings.CLICKHOUSE_URL)
    problems.push('CLICKHOUSE_URL: required with CLICKHOUSE_CLUSTER');
  if (settings.RENDERER_URLS.length > 0 && settings.RENDERER_SECRET === undefined)
    problems.push('RENDERER_SECRET: required with RENDERER_URLS');
  if (settings.MONGODB_URL && settings.SECRET_KEY.length === 0)
    problems.push('SECRET_KEY: required with MONGODB_URL; make one with: openssl rand -base64 32');
  return problems;
}

export type HasConfig = { config: Config };
