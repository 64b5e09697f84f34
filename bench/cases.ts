import autocannon from 'autocannon';
import { importLargeSpace } from './large-space.js';
import type { Running } from './processes.js';
import { caller, token } from './product.js';

/** A request that is measured against the floor. */
export interface Case {
  name: string;
  /** The least rate, as a part of the floor's. */
  goal: number;
  /** Several are asked for in turn. */
  path: string | string[];
  method?: 'GET' | 'POST';
  body?: string;
  /** Sent in addition. */
  headers?: Record<string, string>;
  /** Of the answers; 200 by default. */
  status?: number;
}

export interface Load {
  rate: number;
  requests: number;
  p50: number;
  p99: number;
}

export const benchSettings = {
  BOOTSTRAP_TOKEN: token,
  RATE_LIMIT_PER_MINUTE: '1000000000',
  LOG_LEVEL: 'info',
  OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
};

const connections = 64;
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

/** Sends the request of a case over 64 connections; throws where an answer is none that is expected. */
export async function sendLoad(
  url: string,
  { path, method = 'GET', body, status, ...own }: Case,
  duration: number,
): Promise<Load> {
  const result = await autocannon({
    url,
    requests: [path].flat().map((each) => ({ path: each })),
    method,
    headers: { ...headers, ...own.headers },
    connections,
    duration,
    ...(body ? { body } : {}),
  });
  const expected = status === undefined ? result['2xx'] : (result.statusCodeStats?.[`${status}`]?.count ?? 0);
  const failed = result.requests.total - expected + result.errors;
  if (failed > 0) throw new Error(`${method} ${path}: ${failed} failed`);
  const { average: rate, total: requests } = result.requests;
  return { rate, requests, p50: result.latency.p50, p99: result.latency.p99 };
}

/** Stores what the cases read and write, and returns them. */
export async function prepareCases(product: Running): Promise<Case[]> {
  const call = caller(product);
  const { id: organization } = await call<{ id: string }>('POST', '/orgs', { title: 'Bench' });
  const writers: string[] = [];
  // Many, so that none reaches its bound of spaces.
  for (let at = 0; at < 16; at++)
    writers.push((await call<{ id: string }>('POST', '/orgs', { title: `Writer ${at}` })).id);
  const spaces: string[] = [];
  for (let at = 0; at < 200; at++)
    spaces.push((await call<{ id: string }>('POST', `/orgs/${organization}/spaces`, { title: `Space ${at}` })).id);
  const space = spaces.at(-1) as string;
  for (let at = 0; at < 60; at++)
    await call('POST', `/spaces/${space}/comments`, {
      body: { markdown: `Comment ${at}: the second step is missing.` },
    });
  const large = await importLargeSpace(call, organization);
  const current = await fetch(`${product.url}/v1/spaces/${large}/content`, { headers });
  const { id: revision, pages } = (await current.json()) as { id: string; pages: { id: string }[] };
  const pagesPath = `/v1/spaces/${large}/content/pages`;
  const revisionPath = `/v1/spaces/${large}/revisions/${revision}`;
  const unchanged = { headers: { 'if-none-match': current.headers.get('etag') ?? '' }, status: 304 };
  const post = (path: string[], body: object) => ({ path, method: 'POST' as const, body: JSON.stringify(body) });
  return [
    { name: 'point read', goal: 0.65, path: `/v1/spaces/${space}` },
    { name: 'list of 50', goal: 0.85, path: `/v1/orgs/${organization}/spaces` },
    {
      name: 'write',
      goal: 0.7,
      ...post(
        writers.map((writer) => `/v1/orgs/${writer}/spaces`),
        { title: 'Bench' },
      ),
    },
    {
      name: 'comment',
      goal: 0.75,
      ...post(
        spaces.slice(0, 16).map((each) => `/v1/spaces/${each}/comments`),
        { body: { markdown: 'The second step is missing.' } },
      ),
    },
    { name: 'page of 50 comments', goal: 0.7, path: `/v1/spaces/${space}/comments` },
    { name: 'page as document', goal: 0.6, path: `/v1/spaces/${large}/content/page/${pages[0]?.id}` },
    { name: 'page tree', goal: 0.6, path: pagesPath },
    { name: 'page tree, gzip', goal: 0.6, path: pagesPath, headers: { 'accept-encoding': 'gzip' } },
    { name: 'page tree, unchanged', goal: 0.6, path: pagesPath, ...unchanged },
    { name: 'revision', goal: 0.6, path: revisionPath },
    { name: 'revision, unchanged', goal: 0.6, path: revisionPath, ...unchanged },
  ];
}

/** The cases whose names contain one of the parts; all where there are none. */
export const chooseCases = (cases: Case[], parts: string[]): Case[] =>
  cases.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
