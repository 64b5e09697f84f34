import type { IncomingMessage } from 'node:http';

/** The names in an `Accept` or `Accept-Encoding` header, in lower case, with their weights from 0 to 1. */
export const parseWeights = (header: string): Map<string, number> =>
  new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, q === undefined ? 1 : Number(q.slice(2)) || 0];
    }),
  );

/** The weight of a type in an `Accept` header; a type that is not named gets the weight of a matching wildcard. */
function typeWeight(accept: string, type: string): number {
  const wishes = parseWeights(accept);
  return wishes.get(type) ?? wishes.get(`${type.split('/')[0]}/*`) ?? wishes.get('*/*') ?? 0;
}

const html = 'text/html';
const json = 'application/json';

/** Whether a client prefers HTML to JSON, or JSON to HTML. Both are false for a client that takes either. */
const htmlOverJson = ({ headers: { accept = '*/*' } }: IncomingMessage) =>
  typeWeight(accept, html) - typeWeight(accept, json);
export const prefersHtml = (request: IncomingMessage): boolean => htmlOverJson(request) > 0;
export const prefersJson = (request: IncomingMessage): boolean => htmlOverJson(request) < 0;
