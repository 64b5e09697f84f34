import { publish, textOf } from './openapi.js';
import type { Client } from './server.js';

interface Operation {
  method?: string;
  tag?: string;
  summary?: string;
}

/** A specification with these operations by their paths, and one schema. */
export const openapi = (operations: Record<string, Operation>, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: Object.fromEntries(
    Object.entries(operations).map(([path, { method = 'get', tag, summary }]) => [
      path,
      { [method]: { ...(tag ? { tags: [tag] } : {}), summary, responses: { 200: { description: 'OK' } } } },
    ]),
  ),
  components: { schemas: { Pet: { type: 'object' } } },
  ...more,
});

export const specPath = (organization: string, slug: string) => `/v1/orgs/${organization}/openapi/${slug}`;

/** Gives a specification this content; returns the specification when it is processed. */
export const publishSpec = (
  client: Client,
  { organization, slug }: { organization: string; slug: string },
  content: object,
): Promise<any> => publish(client, specPath(organization, slug), textOf(content));

/** What a computed page, or a page that was made from one, names. */
export const computed = (spec: string, props: object = { models: true }) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});

/** The paths of pages, in order; a computed page without pages in brackets. */
export const paths = (pages: any[]): string[] =>
  pages.flatMap(({ path, type, pages: below = [] }) => [type === 'computed' ? '(computed)' : path, ...paths(below)]);
