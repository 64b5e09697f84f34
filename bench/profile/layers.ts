import type { Frame } from './samples.js';

/** Where processor time goes, from the socket to the store and back. */
export const layers = [
  'socket',
  'entrance',
  'routing',
  'identity',
  'contract kit',
  'bus',
  'handler',
  'store',
  'encoding',
  'writing',
  'metrics',
  'runtime',
] as const;

export type Layer = (typeof layers)[number];

type Rule = [layer: Layer, matches: RegExp];

/** By the end of a file's path or by `path function`. The first that matches counts. */
const rules: Rule[] = [
  ['encoding', /gateway\/http\/reply\.js sendJson$|shared\/contract\/encoded\.js|bench\/floor\.js answer$/],
  [
    'writing',
    /gateway\/http\/(reply|lines|accept|cors)\.js|shared\/http\/deliveries\.js|node:_http_outgoing|node:zlib/,
  ],
  ['identity', /gateway\/api\/authentication\.js|services\/identity\/|bench\/floor\.js authenticated$/],
  ['routing', /gateway\/api\/(router|public-|other-)|find-my-way/],
  ['metrics', /gateway\/report\.js|request-log\.js|prom-client|shared\/monitoring\/|\/pino\//],
  ['entrance', /services\/gateway\/|shared\/http\/|ipaddr\.js|fair-queue\.js|bench\/floor\.js bodyOf$/],
  ['contract kit', /shared\/contract\/|node_modules\/zod\/|schema-messages\.js/],
  ['bus', /shared\/bus\/|node_modules\/(moleculer|nats)\//],
  ['store', /shared\/store\/|node_modules\/(libsql|mongodb)\/|shared\/jobs\//],
  ['handler', /dist\/services\/|bench\/floor\.js/],
  [
    'socket',
    /node:(net|_http_server|_http_incoming|_http_common|http|internal\/stream_base_commons|internal\/streams\/)/,
  ],
  ['runtime', /node:internal\/(process|timers)|node:timers/],
];

const layerOfFrame = ({ name, url }: Frame): Layer | undefined => {
  const text = `${url} ${name}`;
  return rules.find(([, matches]) => matches.test(url) || matches.test(text))?.[0];
};

const known = new WeakMap<Frame, Layer | null>();

/** The layer of the innermost function that belongs to one; undefined for idle time. */
export function layerOf(stack: Frame[]): Layer | undefined {
  if (stack[0]?.name === '(idle)') return undefined;
  if (stack[0]?.name === '(program)') return 'socket';
  for (const frame of stack) {
    if (!known.has(frame)) known.set(frame, layerOfFrame(frame) ?? null);
    const layer = known.get(frame);
    if (layer) return layer;
  }
  return 'runtime';
}
