import { isbot } from 'isbot';
import type { bots } from '../events/resources.js';

type Bot = (typeof bots)[number];

/** Matches the crawlers and fetchers of each operator by their user agents. The first match counts: some also name another operator. */
const names: readonly [Bot, RegExp][] = [
  ['chatgpt', /gptbot|chatgpt-user|oai-searchbot|oai-adsbot/i],
  ['anthropic', /claudebot|claude-(?:user|searchbot|web|code)|anthropic-ai/i],
  ['applebot', /applebot/i],
  ['duckduckbot', /duckduckbot|duckassistbot|duckduckgo-favicons-bot/i],
  ['facebookbot', /facebookexternalhit|facebookcatalog|facebookbot|facebot|meta-(?:external|webindexer)/i],
  ['bingbot', /bingbot|bingpreview|adidxbot|msnbot|bingvideopreview/i],
  [
    'googlebot',
    /googlebot|googleother|google-(?:inspectiontool|safety|cloudvertexbot|read-aloud|site-verification)|(?:storebot|mediapartners|feedfetcher)-google|(?:adsbot|apis)-google/i,
  ],
];

/** The bot that sends this user agent; undefined for people, `unknown` for bots without a name of their own here. */
export function botOf(userAgent: string): Bot | undefined {
  const named = names.find(([, pattern]) => pattern.test(userAgent));
  return named?.[0] ?? (isbot(userAgent) ? 'unknown' : undefined);
}
